import type { SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import type { CompanyIds } from '../../connections/company-links.ts';
import { type Connection, execute, rows } from '../../foundation/database.ts';
import { type AdoptedJob, adoptExecutions } from '../../ingest/adopt-executions.ts';
import { NO_RUNS } from '../../runs/baseline.ts';
import { idFrom } from '../../runs/execution-id.ts';
import { cleanText } from '../../runs/execution-log.ts';
import { followRemovals } from '../../runs/faults/follow-removals.ts';
import { JOBS } from '../../runs/jobs.ts';
import { dueAfter, dueUnder, type Schedule, scheduleSince } from '../../schedules/expected-runs.ts';
import { type JobState, readJobStates } from '../../schedules/job-state.ts';

const NAME_LENGTH_MAX = 500;

/** The columns of a job. */
interface JobRecord {
  uid: string;
  external_id: string;
  source_group: string;
  name: string;
  company_id: string | null;
  job_type: string | null;
  is_enabled: boolean;
  schedule_type: string | null;
  interval_ms: number | null;
  next_run_at: string | null;
  server_name: string | null;
  target_name: string | null;
  backup_size_bytes: number | null;
  restore_point_count: number | null;
}

const RECORD = sql`(uid uuid, external_id text, source_group data_source_group, name text, company_id uuid, job_type text, is_enabled boolean,
  schedule_type text, interval_ms bigint, next_run_at timestamptz, server_name text, target_name text, backup_size_bytes bigint,
  restore_point_count integer, scheduled_since timestamptz, expected_at timestamptz, overdue_at timestamptz)`;
const FIELDS = sql`source_group, name, company_id, job_type, is_enabled, schedule_type, interval_ms, next_run_at, server_name, target_name,
  backup_size_bytes, restore_point_count`;
const DUE = sql`scheduled_since, expected_at, overdue_at`;

/**
 * Adds jobs of a source and updates changed ones. The caller holds the lock of executions, as this changes when jobs count as
 * overdue.
 */
export async function upsertJobs(
  connection: Connection,
  source: { providerId: number; id: string },
  jobs: readonly SourceJob[],
  companyIds: CompanyIds,
  now: Date,
): Promise<void> {
  const stored = await readStored(connection, source, jobs);
  const records = jobs.map((job) => recordOf(job, stored.get(job.externalId), companyIds));
  await nameNewJobs(connection, source, records);
  const changed = records.filter((record) => isChanged(record, stored.get(record.external_id)));
  if (changed.length === 0) return;
  const jobStates = await readJobStates(
    connection,
    source.providerId,
    changed.map((record) => record.uid),
  );
  const written = changed.map((record) => ({ ...record, ...dueOf(record, jobStates.get(record.uid), now.getTime()) }));
  await execute(
    connection,
    sql`insert into ${JOBS} as j (provider_id, source_id, first_seen_at, job_instance_uid, external_id, ${FIELDS}, ${DUE})
        select ${source.providerId}, ${source.id}, ${now}, k.uid, k.external_id, k.source_group, k.name, k.company_id, k.job_type, k.is_enabled,
          k.schedule_type, k.interval_ms, k.next_run_at, k.server_name, k.target_name, k.backup_size_bytes, k.restore_point_count, k.scheduled_since, k.expected_at, k.overdue_at
        from json_to_recordset(${JSON.stringify(written)}::json) as k ${RECORD}
        on conflict (provider_id, source_id, external_id) do update set (${FIELDS}, ${DUE}, removed_at) =
          (excluded.source_group, excluded.name, excluded.company_id, excluded.job_type, excluded.is_enabled,
           excluded.schedule_type, excluded.interval_ms, excluded.next_run_at, excluded.server_name, excluded.target_name,
           excluded.backup_size_bytes, excluded.restore_point_count, excluded.scheduled_since, excluded.expected_at, excluded.overdue_at, null)`,
  );
  const back = changed.filter(({ external_id }) => stored.get(external_id)?.isRemoved === true);
  await followRemovals(
    connection,
    source.providerId,
    back.map(({ uid }) => uid),
  );
  await adoptExecutions(connection, source.providerId, adoptedJobs(changed, stored));
}

/** Returns stored jobs without a company whose company is reported now. */
function adoptedJobs(records: readonly JobRecord[], stored: ReadonlyMap<string, StoredJob>): AdoptedJob[] {
  return records.flatMap(({ uid, external_id, company_id }) => {
    const before = stored.get(external_id);
    return before !== undefined && before.company_id === null && company_id !== null
      ? [{ uid, companyId: company_id }]
      : [];
  });
}

type StoredJob = JobRecord & { isRemoved: boolean };

async function readStored(
  connection: Connection,
  source: { providerId: number; id: string },
  jobs: readonly SourceJob[],
): Promise<Map<string, StoredJob>> {
  const found = await rows<StoredJob>(
    connection,
    sql`select j.job_instance_uid as uid, j.external_id, ${FIELDS}, j.removed_at is not null as "isRemoved" from ${JOBS} j
        where j.provider_id = ${source.providerId} and j.source_id = ${source.id}
          and j.external_id = any(${sql.param(jobs.map((job) => job.externalId))}::text[])`,
  );
  return new Map(found.map((job) => [job.external_id, job]));
}

function recordOf(job: SourceJob, stored: StoredJob | undefined, companyIds: CompanyIds): JobRecord {
  const text = (value: string | null) => (value === null ? null : cleanText(value, NAME_LENGTH_MAX));
  const companyId = job.companyExternalId === null ? undefined : companyIds.get(job.companyExternalId);
  return {
    uid: stored?.uid ?? job.externalId.toLowerCase(),
    external_id: job.externalId,
    source_group: job.group,
    name: cleanText(job.name, NAME_LENGTH_MAX),
    // If the company could not be read this time, the job keeps its stored one; one that was unlinked has none (`null`).
    company_id: companyId === undefined ? (stored?.company_id ?? null) : companyId,
    job_type: text(job.jobType),
    is_enabled: job.isEnabled,
    schedule_type: job.scheduleType,
    interval_ms: job.intervalMs,
    next_run_at: job.nextRunAt?.toISOString() ?? null,
    server_name: text(job.serverName),
    target_name: text(job.targetName),
    backup_size_bytes: job.backupSizeBytes,
    restore_point_count: job.restorePointCount,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Names new jobs: by their id in the source if that is a UUID no other job has, otherwise derived from source and id. */
async function nameNewJobs(
  connection: Connection,
  source: { providerId: number; id: string },
  records: readonly JobRecord[],
): Promise<void> {
  const owners = await rows<{ uid: string; external_id: string; isOurs: boolean }>(
    connection,
    sql`select job_instance_uid as uid, external_id, source_id = ${source.id} as "isOurs" from ${JOBS} where provider_id = ${source.providerId}
          and job_instance_uid = any(${sql.param(records.map((record) => record.uid).filter((uid) => UUID.test(uid)))}::uuid[])`,
  );
  const externalIds = new Map(owners.map(({ uid, external_id, isOurs }) => [uid, isOurs ? external_id : null]));
  for (const record of records) {
    const owner = externalIds.get(record.uid);
    const isFree = UUID.test(record.uid) && (owner === undefined || owner === record.external_id);
    if (!isFree) record.uid = idFrom(source.id, record.external_id);
    externalIds.set(record.uid, record.external_id);
  }
}

function isChanged(record: JobRecord, stored: StoredJob | undefined): boolean {
  if (stored === undefined || stored.isRemoved) return true;
  const { isRemoved: _, ...before } = stored;
  return Object.entries(before).some(([name, value]) => record[name as keyof JobRecord] !== value);
}

/** Returns the columns that say when the job is due. */
function dueOf(record: JobRecord, jobState: JobState | undefined, nowMs: number) {
  const reported: Omit<Schedule, 'sinceMs'> = {
    isEnabled: record.is_enabled,
    isRemoved: false,
    scheduleType: record.schedule_type as Schedule['scheduleType'],
    intervalMs: record.interval_ms,
    nextRunAtMs: record.next_run_at === null ? null : Date.parse(record.next_run_at),
  };
  const schedule = jobState === undefined ? { ...reported, sinceMs: null } : scheduleSince(reported, jobState, nowMs);
  const due = jobState === undefined ? dueAfter(schedule, null, NO_RUNS) : dueUnder(schedule, jobState, nowMs);
  const text = (atMs: number | null | undefined) => (atMs == null ? null : new Date(atMs).toISOString());
  return {
    scheduled_since: text(schedule.sinceMs),
    expected_at: text(due?.expectedAtMs),
    overdue_at: text(due?.overdueAtMs),
  };
}
