import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import { storedSum } from '../runs/bounded-sums.ts';
import { COMPANY_DAYS, JOB_DAYS, NO_COMPANY, SUM_NAMES } from '../runs/day-rollups.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';

/** A job that belonged to no company and whose company is known now. */
export interface AdoptedJob {
  uid: string;
  companyId: string;
}

const each = (of: (name: SQL) => SQL) =>
  sql.join(
    SUM_NAMES.map((name) => of(sql.raw(name))),
    sql`, `,
  );

/**
 * Moves the history of jobs to the company that they turned out to belong to: a source whose companies could not be
 * read reports the jobs first. Runs that belong to a company stay with it, also when their job moves on. The caller has
 * to hold the executions lock.
 */
export async function adoptExecutions(
  connection: Connection,
  providerId: number,
  jobs: readonly AdoptedJob[],
): Promise<void> {
  if (jobs.length === 0) return;
  const adopted = sql`json_to_recordset(${JSON.stringify(jobs)}::json) as k (uid uuid, "companyId" uuid)`;
  await execute(
    connection,
    sql`update ${JOB_EXECUTIONS} e set company_id = k."companyId" from ${adopted}
        where e.provider_id = ${providerId} and e.job_instance_uid = k.uid and e.company_id is null`,
  );
  await execute(
    connection,
    sql`with moved as (
          update ${JOB_DAYS} d set company_id = k."companyId" from ${adopted}
          where d.provider_id = ${providerId} and d.job_instance_uid = k.uid and d.company_id is null
          returning d.day, d.source_group, d.company_id, ${each((name) => sql`d.${name}`)}),
        subtracted as (
          update ${COMPANY_DAYS} c set ${each((name) => sql`${name} = ${storedSum(sql`c.${name}::numeric - m.${name}`)}`)}
          from (select day, source_group, ${each((name) => sql`sum(${name}) as ${name}`)} from moved group by 1, 2) m
          where c.provider_id = ${providerId} and c.company_id = ${NO_COMPANY} and c.day = m.day and c.source_group = m.source_group)
        insert into ${COMPANY_DAYS} as c (provider_id, day, company_id, source_group, ${each((name) => name)})
        select ${providerId}, day, company_id, source_group, ${each((name) => storedSum(sql`sum(${name})`))} from moved group by 2, 3, 4
        on conflict (provider_id, day, company_id, source_group) do update set ${each((name) => sql`${name} = ${storedSum(sql`c.${name}::numeric + excluded.${name}`)}`)}`,
  );
  // What is at fault may count within the company alone.
  await refreshFaults(
    connection,
    providerId,
    jobs.map(({ uid }) => wholeSpan(uid)),
  );
}
