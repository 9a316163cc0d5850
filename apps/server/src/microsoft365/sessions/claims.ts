import type { JobSchedule, NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { Service } from '@keepwatch/contract/microsoft365/organizations';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row, rows } from '../../foundation/database.ts';
import { isOfWorkers } from '../engine/work-of-workers.ts';
import type { SessionProgress } from '../session-progress.ts';

/** A run that a worker has claimed, with all that doing it takes. */
export interface ClaimedSession {
  providerId: number;
  id: string;
  jobId: string;
  jobName: string;
  organizationId: string;
  companyId: string;
  repositoryId: string;
  services: Service[];
  job: Pick<NewJob, 'backupType' | 'selected' | 'excluded' | 'withChats'>;
  schedule: JobSchedule;
  startedAt: string;
  /** A person started it: the backup window does not end it. */
  isByHand: boolean;
  /** A worker before this one began it. */
  isContinued: boolean;
  /** With this one; those that were given back do not count. */
  claims: number;
  /** The run in the repository that the worker before began. */
  engineRun: string | null;
  progress: SessionProgress;
}

export interface Claimant {
  workerId: string;
  /** Its machine and pool: jobs that are bound to another one are not for it. */
  places: readonly string[];
  claimMs: number;
  /** Its own runs: one whose claim ended while this process was stuck must not begin a second time in it. */
  running: readonly string[];
  /** This run and no other. */
  only?: string;
  /** A run of an organization that has none under way, and that waits for so long, and no other. */
  waitedMs?: number;
}

/** Until when a claim lasts. By the database's clock, which is the same for all machines. */
const claimEnd = (claimMs: number) => sql`now() + ${`${claimMs} milliseconds`}::interval`;

/** Where a run (alias `s`) began, also when its job (`j`) was moved since: what it stored is there. Where that was removed it begins again. */
const WRITES_INTO = sql`coalesce((select r.id from m365_repositories r where r.provider_id = s.provider_id and r.id = s.repository_id), j.repository_id)`;

/**
 * Claims a run that no living worker has: of the organization with the fewest runs under way, and of those the one that had its turn longest ago, so
 * that one with many jobs, or one that has just given its place to another, does not delay the others. Runs of organizations that wait for nothing are
 * not read: workers ask every second.
 */
export async function claimSession(connection: Connection, claimant: Claimant): Promise<ClaimedSession | null> {
  const { workerId, places, claimMs, running, only, waitedMs } = claimant;
  const hasWaited =
    waitedMs === undefined
      ? sql`true`
      : sql`coalesce(b.running, 0) = 0 and coalesce(s.claimed_until, s.started_at) < now() - ${`${waitedMs} milliseconds`}::interval`;
  return row<ClaimedSession>(
    connection,
    sql`with waiting as (
          select s.provider_id, s.id, s.worker_id, s.started_at, j.organization_id
          from m365_job_sessions s join m365_jobs j on j.provider_id = s.provider_id and j.id = s.job_id
          where s.ended_at is null and (s.claimed_until is null or s.claimed_until < now()) and s.id <> all(${sql.param(running)}::uuid[])
            and ${only === undefined ? sql`true` : sql`s.id = ${only}`}
            and ${isOfWorkers('j')} and (j.proxy_pool_id is null or j.proxy_pool_id = any(${sql.param(places)}::uuid[]))
        ), busy as (
          select w.provider_id, w.organization_id, sum(r.count) as running, max(greatest(t.at, r.until)) as turn
          from (select distinct provider_id, organization_id from waiting) w
            join m365_jobs j on j.provider_id = w.provider_id and j.organization_id = w.organization_id
            cross join lateral (select count(*) filter (where s.claimed_until > now()) as count, max(s.claimed_until) as until from m365_job_sessions s
              where s.provider_id = j.provider_id and s.job_id = j.id and s.ended_at is null) r
            cross join lateral (select max(s.started_at) as at from m365_job_sessions s
              where s.provider_id = j.provider_id and s.job_id = j.id and s.started_at > now() - interval '1 day' and s.worker_id is not null) t
          group by 1, 2
        ), next as (
          select s.provider_id, s.id, s.worker_id from m365_job_sessions s join waiting w on w.provider_id = s.provider_id and w.id = s.id
            left join busy b on b.provider_id = w.provider_id and b.organization_id = w.organization_id
          where s.ended_at is null and (s.claimed_until is null or s.claimed_until < now()) and ${hasWaited}
          order by coalesce(b.running, 0), b.turn nulls first, s.started_at, s.id limit 1 for update of s skip locked
        )
        update m365_job_sessions s set worker_id = ${workerId}, claimed_until = ${claimEnd(claimMs)}, claims = s.claims + 1, repository_id = ${WRITES_INTO}
        from next n, m365_jobs j, m365_organizations o
        where s.provider_id = n.provider_id and s.id = n.id and j.provider_id = s.provider_id and j.id = s.job_id
          and o.provider_id = j.provider_id and o.id = j.organization_id
        returning s.provider_id as "providerId", s.id, s.job_id as "jobId", j.name as "jobName", j.organization_id as "organizationId",
          o.company_id as "companyId", s.repository_id as "repositoryId", o.services, j.schedule, s.started_at as "startedAt",
          json_build_object('backupType', j.backup_type, 'selected', j.selected, 'excluded', j.excluded, 'withChats', j.with_chats) as job,
          n.worker_id is not null as "isContinued", s.is_by_hand as "isByHand", s.claims, s.engine_run as "engineRun", s.progress`,
  );
}

/**
 * Extends the claims of a worker on the runs that it does, and on no others: one whose end could not be stored is claimed by another worker.
 * @returns the runs that it still has
 */
export async function extendClaims(
  connection: Connection,
  { workerId, claimMs, running }: Omit<Claimant, 'places'>,
): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(
    connection,
    sql`update m365_job_sessions s set claimed_until = ${claimEnd(claimMs)}
        where s.worker_id = ${workerId} and s.ended_at is null and s.id = any(${sql.param(running)}::uuid[]) returning s.id`,
  );
  return new Set(found.map(({ id }) => id));
}

/** The runs of a worker that were asked to end. */
export async function listStopped(connection: Connection, workerId: string): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(
    connection,
    sql`select s.id from m365_job_sessions s where s.worker_id = ${workerId} and s.ended_at is null and s.stop_asked_at is not null`,
  );
  return new Set(found.map(({ id }) => id));
}

/** Gives a run back, so that another worker goes on with it at once. */
export async function releaseClaim(connection: Connection, session: ClaimedSession, workerId: string): Promise<void> {
  await execute(
    connection,
    sql`update m365_job_sessions s set claimed_until = now() - interval '1 second', claims = s.claims - 1
        where s.provider_id = ${session.providerId} and s.id = ${session.id} and s.worker_id = ${workerId} and s.ended_at is null`,
  );
}

/** Stores how far a run is, as long as it is the worker's. */
export async function storeProgress(
  connection: Connection,
  { providerId, id }: ClaimedSession,
  workerId: string,
  progress: SessionProgress,
): Promise<void> {
  await execute(
    connection,
    sql`update m365_job_sessions s set progress = ${JSON.stringify(progress)}::jsonb
        where s.provider_id = ${providerId} and s.id = ${id} and s.worker_id = ${workerId} and s.ended_at is null`,
  );
}

/** Stores which run in the repository a worker has begun. @returns `false` where the run is not the worker's any more */
export async function storeEngineRun(
  connection: Connection,
  { providerId, id }: ClaimedSession,
  workerId: string,
  engineRun: string,
): Promise<boolean> {
  const found = await row(
    connection,
    sql`update m365_job_sessions s set engine_run = ${engineRun}
        where s.provider_id = ${providerId} and s.id = ${id} and s.worker_id = ${workerId} and s.ended_at is null returning s.id`,
  );
  return found !== null;
}
