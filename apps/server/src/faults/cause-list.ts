import type { Cause, Fault } from '@keepwatch/contract/faults/faults';
import { FAULT_KINDS } from '@keepwatch/contract/faults/values';
import { COUNT_MAX } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, rows } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { wordsInCommon } from '../runs/faults/causes/message-shape.ts';
import { FAULTS } from '../runs/faults/faults.ts';
import { daysWithoutFine, WITHOUT_FINE_SINCE } from '../runs/faults/without-fine.ts';
import { type ChosenFaults, FAULT_STATE, faultParts } from './fault-filter.ts';
import { type FaultQuery, type FaultRow, type FaultSort, faultOf, faultRowsQuery } from './fault-list.ts';

const KIND = sql`(${sql.param([...FAULT_KINDS])}::text[])[g.place + 1]`;

function causeOrder(sort: FaultSort | undefined): SQL {
  if (sort === undefined) return sql`g.place, g.faults desc, g.cause_key`;
  const direction = sort === 'fineAt' ? sql`asc` : sql`desc`;
  return sql`g.healed = g.faults, g.without_fine_since ${direction}, g.cause_key`;
}

function chosenFaults(scope: Scope, chosen: ChosenFaults): SQL {
  const parts = faultParts(scope, chosen).map((conditions) => sql`(select f.* from ${FAULTS} f where ${conditions})`);
  return sql`(${sql.join(parts, sql` union all `)}) f`;
}

type CauseRow = Omit<Cause, 'fault'> & { faultId: string };

function causesQuery(scope: Scope, { limit, offset, sort, now, ...chosen }: FaultQuery): SQL {
  return sql`select g.cause_key as key, f.cause_why as why, f.cause_subject as subject, ${KIND} as kind, g.faults, g.healed,
      g.in_progress as "inProgress", g.jobs, g.companies, g.runs, g.opened_at as "openedAt", g.last_started_at as "lastStartedAt",
      g.days_without_fine as "daysWithoutFine", g.fault_id as "faultId"
    from (
      select f.cause_key, min(f.place) as place, count(*) as faults, count(*) filter (where ${FAULT_STATE} = 'healed') as healed,
        count(*) filter (where ${FAULT_STATE} = 'in-progress') as in_progress, count(distinct f.job_instance_uid) as jobs,
        count(distinct f.company_id) as companies, sum(f.runs) as runs, min(f.opened_at) as opened_at, max(f.last_started_at) as last_started_at,
        max(${daysWithoutFine(now)}) as days_without_fine, min(${WITHOUT_FINE_SINCE}) as without_fine_since,
        (array_agg(f.id order by f.last_started_at desc, f.id))[1] as fault_id
      from ${chosenFaults(scope, chosen)} group by f.cause_key) g
    join ${FAULTS} f on ${scope.rows('f')} and f.id = g.fault_id
    order by ${causeOrder(sort)} limit ${limit} offset ${offset}`;
}

/** Reads a page of the causes of faults, each with its newest fault, and how many there are. */
export async function listCauses(connection: Connection, scope: Scope, query: FaultQuery): Promise<Page<Cause>> {
  const counted = sql`select distinct f.cause_key from ${chosenFaults(scope, query)} limit ${COUNT_MAX}`;
  const count = sql`select count(*) as count from (${counted}) counted`;
  const page = await readPage<CauseRow>(connection, causesQuery(scope, query), count);
  const ids = page.data.map(({ faultId }) => faultId);
  const chosen = sql`select f.* from ${FAULTS} f where ${scope.rows('f')} and f.id = any(${sql.param(ids)}::uuid[])`;
  const found = await rows<FaultRow>(connection, faultRowsQuery(scope, chosen, query.now));
  const faults = new Map(found.map((row) => [row._id, faultOf(row)]));
  // One that is gone since is made of other runs now: the next reading has it.
  const data = page.data.flatMap(({ faultId, ...cause }): Cause[] => {
    const fault = faults.get(faultId);
    return fault === undefined ? [] : [{ ...cause, subject: subjectOf(cause, fault), fault }];
  });
  return { count: page.count, data };
}

/** Of several faults with one message the words that all of them have; of one alone its own say more. */
function subjectOf({ why, subject, faults }: Omit<CauseRow, 'faultId'>, fault: Fault): string | null {
  if (why !== 'message' || faults === 1 || fault.message === null) return subject;
  return wordsInCommon(fault.message, [fault.jobName, fault.companyName, fault.serverName]);
}
