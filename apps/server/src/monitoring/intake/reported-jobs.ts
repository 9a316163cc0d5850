import type { DataSourceGroup } from '@keepwatch/contract/monitoring/values';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row, rows } from '../../foundation/database.ts';
import { conflict } from '../../foundation/errors.ts';
import { idFrom } from '../executions/execution-id.ts';
import type { TokenOwner } from './intake-tokens.ts';
import { INTAKE_KIND } from './stored-source.ts';

/** Jobs that tools may make for one company by reporting: whoever sends a new name each time finds an end. */
export const REPORTED_JOBS_MAX = 500;

export interface ReportedJob {
  jobInstanceUid: string;
  name: string;
  sourceGroup: DataSourceGroup;
}

/**
 * The jobs of these names that tools report for a company; those that are new are made, in the group that is told first and
 * stays theirs. Has to hold the lock of executions: reports that make jobs at once would exceed their number, or wait for each
 * other. Throws 409 when there are too many.
 */
export async function keepReportedJobs(
  connection: Connection,
  owner: TokenOwner,
  wanted: readonly { name: string; sourceGroup: DataSourceGroup }[],
  now: Date,
): Promise<Map<string, ReportedJob>> {
  const sourceId = await keepIntakeSource(connection, owner.providerId);
  const records = [...new Map([...wanted].reverse().map((job) => [job.name, job])).values()].map((job) => {
    const externalId = `${owner.companyId}/${job.name}`;
    return { ...job, externalId, uid: idFrom(sourceId, externalId) };
  });
  const found = await findJobs(connection, owner, records);
  const missing = records.filter((record) => !found.has(record.name));
  if (missing.length === 0) return found;
  await refuseTooMany(connection, owner, sourceId, missing.length);
  await execute(
    connection,
    sql`insert into jobs (provider_id, source_id, company_id, job_instance_uid, external_id, source_group, name, first_seen_at)
        select ${owner.providerId}, ${sourceId}, ${owner.companyId}, k.uid, k."externalId", k."sourceGroup", k.name, ${now}
        from json_to_recordset(${JSON.stringify(missing)}::json) as k (uid uuid, "externalId" text, "sourceGroup" data_source_group, name text)
        on conflict do nothing`,
  );
  return findJobs(connection, owner, records);
}

/** The source under which everything stands that tools report to a provider; made when it is first needed. */
async function keepIntakeSource(connection: Connection, providerId: number): Promise<string> {
  const id = idFrom('source', String(providerId), INTAKE_KIND);
  const found = await row(connection, sql`select from sources where provider_id = ${providerId} and id = ${id}`);
  if (found === null)
    await execute(
      connection,
      sql`insert into sources (provider_id, id, kind, name) values (${providerId}, ${id}, ${INTAKE_KIND}, 'Reported by tools') on conflict do nothing`,
    );
  return id;
}

async function findJobs(
  connection: Connection,
  { providerId }: TokenOwner,
  records: readonly { uid: string }[],
): Promise<Map<string, ReportedJob>> {
  const found = await rows<ReportedJob>(
    connection,
    sql`select job_instance_uid as "jobInstanceUid", name, source_group as "sourceGroup" from jobs
        where provider_id = ${providerId} and job_instance_uid = any(${sql.param(records.map((record) => record.uid))}::uuid[])`,
  );
  return new Map(found.map((job) => [job.name, job]));
}

async function refuseTooMany(connection: Connection, owner: TokenOwner, sourceId: string, more: number): Promise<void> {
  const counted = await row<{ count: number }>(
    connection,
    sql`select count(*) as count from jobs where provider_id = ${owner.providerId} and company_id = ${owner.companyId} and source_id = ${sourceId}`,
  );
  if ((counted?.count ?? 0) + more <= REPORTED_JOBS_MAX) return;
  throw conflict(
    `There are ${counted?.count} jobs that tools report for this company, and no more than ${REPORTED_JOBS_MAX} are taken. Send the same job name at every run.`,
  );
}
