import type { CompanyDetail } from '@keepwatch/contract/companies/companies';
import { FIGURE_ANOMALIES } from '@keepwatch/contract/faults/values';
import { type SQL, sql } from 'drizzle-orm';
import { COUNTED } from '../executions/job-status.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import { type Connection, row } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { FAULTS, IS_OPEN_WORK } from '../runs/faults/faults.ts';
import { daysWithoutFine, WITHOUT_FINE_SINCE } from '../runs/faults/without-fine.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';

type CompanyFaults = Pick<CompanyDetail, 'openFaults' | 'longestWithoutFine'>;

/** Counts the open faults of a company by kind, and finds the job that has waited longest for a good restore point. */
export async function findCompanyFaults(
  connection: Connection,
  scope: Scope,
  companyId: string,
  now: Date,
): Promise<CompanyFaults> {
  const company = scope.narrowedTo([companyId]);
  const [openFaults, longestWithoutFine] = await Promise.all([
    row<CompanyFaults['openFaults']>(connection, countQuery(company)),
    row<NonNullable<CompanyFaults['longestWithoutFine']>>(connection, longestQuery(company, now)),
  ]);
  if (openFaults === null) throw new Error('An aggregate without groups gave no row.');
  return { openFaults, longestWithoutFine };
}

function countQuery(company: Scope): SQL {
  const of = (kind: string) => sql`count(*) filter (where f.kind = ${kind})`;
  return sql`select ${of('failed')} as failed, ${of('missed')} as missed, ${of('doubtful')} as doubtful, ${of('warning')} as warning
    from ${FAULTS} f where ${company.rows('f')} and ${IS_OPEN_WORK}`;
}

/** The last run of a fault (alias `f`) made a restore point: it ended with a warning, or is unusual in its figures alone. */
const HAS_RESTORE_POINT = sql`(f.kind = 'warning' or (f.kind = 'doubtful' and exists (select from ${JOB_EXECUTIONS} e
  where e.provider_id = f.provider_id and e.started_at = f.last_started_at and e.id = f.last_execution_id
    and e.anomalies <@ ${sql.param(FIGURE_ANOMALIES)}::text[])))`;

/** One probe a job: its newest fault, if it is open and its last run made no restore point. What is ignored is meant to be so. */
function longestQuery(company: Scope, now: Date): SQL {
  return sql`select ${JOB_NAME} as "jobName", ${daysWithoutFine(now)} as days
    from ${JOBS} j cross join lateral (select f.* from ${FAULTS} f
      where f.provider_id = j.provider_id and f.job_instance_uid = j.job_instance_uid order by f.opened_at desc limit 1) f
    where ${company.rows('j')} and ${company.rows('f')} and ${COUNTED} and j.is_enabled and f.closed_at is null and f.state <> 'ignored' and not ${HAS_RESTORE_POINT}
    order by ${WITHOUT_FINE_SINCE}, j.job_instance_uid limit 1`;
}
