import type { Cause } from '@keepwatch/contract/faults/faults';
import { FAULT_KINDS } from '@keepwatch/contract/faults/values';
import { COUNT_MAX } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { FAULTS } from '../runs/faults/faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { type ChosenFaults, FAULT_STATE, faultParts } from './fault-filter.ts';
import type { FaultQuery } from './fault-list.ts';

const CAUSE_ORDER = sql`g.place, g.faults desc, g.cause_key`;
const KIND = sql`(${sql.param([...FAULT_KINDS])}::text[])[g.place + 1]`;

function chosenFaults(scope: Scope, chosen: ChosenFaults): SQL {
  const parts = faultParts(scope, chosen).map((conditions) => sql`(select f.* from ${FAULTS} f where ${conditions})`);
  return sql`(${sql.join(parts, sql` union all `)}) f`;
}

function causesQuery(scope: Scope, { limit, offset, ...chosen }: FaultQuery): SQL {
  return sql`with page as materialized (select * from (
      select f.cause_key, min(f.place) as place, count(*) as faults, count(*) filter (where ${FAULT_STATE} = 'healed') as healed,
        count(*) filter (where ${FAULT_STATE} = 'in-progress') as in_progress, count(distinct f.job_instance_uid) as jobs,
        count(distinct f.company_id) as companies, sum(f.runs) as runs, min(f.opened_at) as opened_at, max(f.last_started_at) as last_started_at,
        (array_agg(f.id order by f.last_started_at desc, f.id))[1] as fault_id
      from ${chosenFaults(scope, chosen)} group by f.cause_key) g order by ${CAUSE_ORDER} limit ${limit} offset ${offset})
    select g.cause_key as key, f.cause_why as why, f.cause_subject as subject, ${KIND} as kind, g.faults, g.healed, g.in_progress as "inProgress",
      g.jobs, g.companies, g.runs, g.opened_at as "openedAt", g.last_started_at as "lastStartedAt", g.fault_id as "faultId", e.message,
      ${JOB_NAME} as "jobName", c.name as "companyName"
    from page g
    join ${FAULTS} f on ${scope.rows('f')} and f.id = g.fault_id
    join ${JOBS} j on j.provider_id = f.provider_id and j.job_instance_uid = f.job_instance_uid
    ${companyOf('f')}
    cross join lateral (select e.message from ${JOB_EXECUTIONS} e where e.provider_id = f.provider_id and e.started_at = f.last_started_at
      and e.id = f.last_execution_id offset 0) e
    order by ${CAUSE_ORDER}`;
}

/** Reads a page of the causes of faults, and how many there are. */
export function listCauses(connection: Connection, scope: Scope, query: FaultQuery): Promise<Page<Cause>> {
  const counted = sql`select distinct f.cause_key from ${chosenFaults(scope, query)} limit ${COUNT_MAX}`;
  const count = sql`select count(*) as count from (${counted}) counted`;
  return readPage(connection, causesQuery(scope, query), count);
}
