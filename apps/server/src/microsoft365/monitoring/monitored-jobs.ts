import type { ScheduleType, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import { insert } from '../../foundation/table-writes.ts';
import { idFrom } from '../../runs/execution-id.ts';
import { JOBS } from '../../runs/jobs.ts';
import { MICROSOFT_365_KIND, SOURCES } from '../../runs/source-horizon.ts';
import { removeJobs } from '../../schedules/removed-jobs.ts';
import { upsertJobs } from '../../sources/sync/upsert-jobs.ts';

interface JobRow {
  id: string;
  name: string;
  companyId: string;
  isEnabled: boolean;
  scheduleType: ScheduleType;
  nextRunAt: string | null;
  repositoryName: string;
  workerName: string | null;
}

/** The source of all runs of the provider's own Microsoft 365 backups. */
export const sourceIdOf = (providerId: number) => idFrom('source', String(providerId), MICROSOFT_365_KIND);

/**
 * Stores in Monitoring what jobs of a provider are now: their names, and when they are due. A job has the same id there. The caller has the lock of
 * executions.
 * @param jobId only this one
 */
export async function reportJobs(connection: Connection, providerId: number, now: Date, jobId?: string): Promise<void> {
  const found = await readJobs(connection, providerId, jobId);
  if (found.length === 0) return;
  const source = { providerId, id: sourceIdOf(providerId) };
  await insert(
    connection,
    SOURCES,
    { ...source, kind: MICROSOFT_365_KIND, name: 'Microsoft 365 backups' },
    sql`on conflict do nothing`,
  );
  const companyIds = new Map(found.map(({ companyId }) => [companyId, companyId]));
  await upsertJobs(connection, source, found.map(sourceJobOf), companyIds, now);
}

/** Marks the jobs as removed in Monitoring that are no longer in the application. The caller has the lock of executions. */
export async function removeMissingJobs(connection: Connection, providerId: number, now: Date): Promise<void> {
  await removeJobs(connection, sql`j.provider_id = ${providerId} and ${IS_GONE}`, now);
}

const IS_GONE: SQL = sql`j.removed_at is null
  and exists (select from ${SOURCES} s where s.provider_id = j.provider_id and s.id = j.source_id and s.kind = ${MICROSOFT_365_KIND})
  and not exists (select from m365_jobs m where m.provider_id = j.provider_id and m.id::text = j.external_id)`;

/** The providers whose jobs are, or were, in Monitoring. */
export async function listReportedProviders(connection: Connection): Promise<number[]> {
  const found = await rows<{ id: number }>(
    connection,
    sql`select provider_id as id from m365_jobs union
        select j.provider_id from ${JOBS} j join ${SOURCES} s on s.provider_id = j.provider_id and s.id = j.source_id
        where s.kind = ${MICROSOFT_365_KIND} and j.removed_at is null order by 1`,
  );
  return found.map(({ id }) => id);
}

function readJobs(connection: Connection, providerId: number, jobId: string | undefined): Promise<JobRow[]> {
  const one = jobId === undefined ? sql`true` : sql`j.id = ${jobId}`;
  return rows(
    connection,
    sql`select j.id, j.name, o.company_id as "companyId", j.is_enabled as "isEnabled", j.schedule->>'type' as "scheduleType",
          case when j.is_enabled then j.next_run_at end as "nextRunAt", r.name as "repositoryName",
          (select w.name from m365_job_sessions s left join m365_workers w on w.id = s.worker_id
            where s.provider_id = j.provider_id and s.job_id = j.id order by s.started_at desc limit 1) as "workerName"
        from m365_jobs j join m365_organizations o on o.provider_id = j.provider_id and o.id = j.organization_id
          join m365_repositories r on r.provider_id = j.provider_id and r.id = j.repository_id
        where j.provider_id = ${providerId} and ${one} order by j.id`,
  );
}

/** The next run is exact, so that it needs no interval. */
function sourceJobOf(job: JobRow): SourceJob {
  return {
    externalId: job.id,
    group: 'office365',
    name: job.name,
    companyExternalId: job.companyId,
    jobType: 'Microsoft 365 backup',
    isEnabled: job.isEnabled,
    scheduleType: job.scheduleType,
    intervalMs: null,
    nextRunAt: job.nextRunAt === null ? null : new Date(job.nextRunAt),
    serverName: job.workerName,
    targetName: job.repositoryName,
    backupSizeBytes: null,
    restorePointCount: null,
    lastRun: null,
  };
}
