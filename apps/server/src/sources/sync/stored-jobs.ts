import type { DataSourceGroup, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { linkJoin } from '../../connections/company-links.ts';
import { IS_ONE_JOB } from '../../executions/shared-jobs.ts';
import { type Connection, rows } from '../../foundation/database.ts';
import { JOBS } from '../../runs/jobs.ts';
import { removeJobs } from '../../schedules/removed-jobs.ts';
import type { StoredSource } from '../stored-source.ts';

type Source = Pick<StoredSource, 'providerId' | 'id' | 'kind'>;

/** Reads the jobs of a group as stored, without a last run. */
export function listStoredJobs(
  connection: Connection,
  source: StoredSource,
  group: DataSourceGroup,
): Promise<SourceJob[]> {
  return rows<SourceJob>(
    connection,
    sql`select j.external_id as "externalId", j.source_group as "group", j.name, l.external_id as "companyExternalId", j.job_type as "jobType",
          j.is_enabled as "isEnabled", j.schedule_type as "scheduleType", j.interval_ms as "intervalMs", null as "nextRunAt",
          j.server_name as "serverName", j.target_name as "targetName", j.backup_size_bytes as "backupSizeBytes",
          j.restore_point_count as "restorePointCount", null as "lastRun"
        from ${JOBS} j ${linkJoin(source, 'j')}
        where j.provider_id = ${source.providerId} and j.source_id = ${source.id} and j.source_group = ${group} and j.removed_at is null and ${IS_ONE_JOB}`,
  );
}

/** Marks the jobs of a group that are not in `present` as removed and returns their number. The caller holds the executions lock. */
export function removeVanishedJobs(
  connection: Connection,
  source: Source,
  group: DataSourceGroup,
  present: readonly string[],
  at: Date,
): Promise<number> {
  const vanished = sql`j.source_id = ${source.id} and j.source_group = ${group} and j.removed_at is null
    and ${IS_ONE_JOB} and not exists (select from unnest(${sql.param(present)}::text[]) as p (id) where p.id = j.external_id)`;
  return removeJobs(connection, source.providerId, vanished, at);
}

/** Reads the ids of a source's jobs, by their external ids. */
export async function jobIdsOf(connection: Connection, source: Source): Promise<ReadonlyMap<string, string>> {
  const found = await rows<{ externalId: string; id: string }>(
    connection,
    sql`select external_id as "externalId", job_instance_uid as id from ${JOBS} where provider_id = ${source.providerId} and source_id = ${source.id}`,
  );
  return new Map(found.map(({ externalId, id }) => [externalId, id]));
}
