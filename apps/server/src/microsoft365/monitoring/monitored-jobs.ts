import type { ScheduleType, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import type { MaintenanceKind } from '@keepwatch/contract/microsoft365/maintenance';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import { insert } from '../../foundation/table-writes.ts';
import { idFrom } from '../../runs/execution-id.ts';
import { JOBS } from '../../runs/jobs.ts';
import { MICROSOFT_365_KIND, SOURCES } from '../../runs/source-horizon.ts';
import { removeJobs } from '../../schedules/removed-jobs.ts';
import { upsertJobs } from '../../sources/sync/upsert-jobs.ts';

interface JobRow {
  externalId: string;
  jobType: string;
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

/** What Monitoring knows the maintenance of a repository by. A job is known by its own id. */
export const maintenanceIdOf = (repositoryId: string, kind: MaintenanceKind) => `${repositoryId}/${kind}`;

/** The id of that in Monitoring. */
export const monitoredMaintenance = (providerId: number, repositoryId: string, kind: MaintenanceKind) =>
  idFrom(sourceIdOf(providerId), maintenanceIdOf(repositoryId, kind));

/** What Monitoring knows the proofs of a job by. */
export const proofIdOf = (jobId: string) => `${jobId}/proof`;

/** The id of that in Monitoring. */
export const monitoredProof = (providerId: number, jobId: string) => idFrom(sourceIdOf(providerId), proofIdOf(jobId));

/**
 * Stores in Monitoring what jobs of a provider, their proofs, and the maintenance of its repositories are now: their names, and when they are due. The caller has
 * the lock of executions.
 * @param externalId only this one
 */
export async function reportJobs(
  connection: Connection,
  providerId: number,
  now: Date,
  externalId?: string,
): Promise<void> {
  const found = await readJobs(connection, providerId, externalId);
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
  await removeJobs(connection, providerId, IS_GONE, now);
}

const IS_GONE: SQL = sql`j.removed_at is null
  and exists (select from ${SOURCES} s where s.provider_id = j.provider_id and s.id = j.source_id and s.kind = ${MICROSOFT_365_KIND})
  and not exists (select from m365_jobs m where m.provider_id = j.provider_id and j.external_id in (m.id::text, m.id::text || '/proof'))
  and not exists (select from m365_maintenance_plans p where p.provider_id = j.provider_id and p.repository_id::text || '/' || p.kind = j.external_id)`;

/** The providers whose jobs are, or were, in Monitoring. */
export async function listReportedProviders(connection: Connection): Promise<number[]> {
  const found = await rows<{ id: number }>(
    connection,
    sql`select provider_id as id from m365_jobs union select provider_id from m365_maintenance_plans union
        select j.provider_id from ${JOBS} j join ${SOURCES} s on s.provider_id = j.provider_id and s.id = j.source_id
        where s.kind = ${MICROSOFT_365_KIND} and j.removed_at is null order by 1`,
  );
  return found.map(({ id }) => id);
}

function readJobs(connection: Connection, providerId: number, externalId: string | undefined): Promise<JobRow[]> {
  const one = externalId === undefined ? sql`true` : sql`k."externalId" = ${externalId}`;
  return rows(
    connection,
    sql`select k.*, o.company_id as "companyId", case when k."isEnabled" then k.next_run_at end as "nextRunAt", r.name as "repositoryName"
        from (${BACKUPS} union all ${MAINTENANCE} union all ${PROOFS}) k join m365_repositories r on r.provider_id = k.provider_id and r.id = k.repository_id
          join m365_organizations o on o.provider_id = k.provider_id and o.id = k.organization_id
        where k.provider_id = ${providerId} and ${one} order by k."externalId"`,
  );
}

const BACKUPS: SQL = sql`select j.provider_id, j.id::text as "externalId", 'Microsoft 365 backup' as "jobType", j.name, j.is_enabled as "isEnabled",
    j.schedule->>'type' as "scheduleType", j.next_run_at, j.repository_id, j.organization_id,
    (select w.name from m365_job_sessions s left join m365_workers w on w.id = s.worker_id
      where s.provider_id = j.provider_id and s.job_id = j.id order by s.started_at desc limit 1) as "workerName"
  from m365_jobs j`;

const MAINTENANCE: SQL = sql`select p.provider_id, p.repository_id::text || '/' || p.kind, 'Microsoft 365 ' || p.kind, initcap(p.kind) || ' of ' || r.name,
    p.is_enabled and (p.kind = 'verify' or r.retention_years is not null), 'Daily', p.next_run_at, p.repository_id, r.organization_id, null
  from m365_maintenance_plans p join m365_repositories r on r.provider_id = p.provider_id and r.id = p.repository_id`;

/** From the first proof on: one of a job without a restore point is not expected. */
const PROOFS: SQL = sql`select j.provider_id, j.id::text || '/proof', 'Microsoft 365 proof', 'Proof of ' || j.name, j.is_enabled, 'Periodically',
    (select max(p.started_at) + interval '7 days' from m365_proofs p where p.provider_id = j.provider_id and p.job_id = j.id),
    j.repository_id, j.organization_id, null
  from m365_jobs j where exists (select from m365_proofs p where p.provider_id = j.provider_id and p.job_id = j.id)`;

/** The next run is exact, so that it needs no interval. */
function sourceJobOf(job: JobRow): SourceJob {
  return {
    externalId: job.externalId,
    group: 'office365',
    name: job.name,
    companyExternalId: job.companyId,
    jobType: job.jobType,
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
