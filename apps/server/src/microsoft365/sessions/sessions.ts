import type { JobSession, listSessionLog } from '@keepwatch/contract/microsoft365/jobs';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row, rows } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert } from '../../foundation/table-writes.ts';
import type { JobKey } from '../jobs/jobs.ts';
import { m365JobSessions } from '../tables.ts';
import { SESSION_FIELDS, type SessionRow, wireSessionOf } from './session-row.ts';

/**
 * Makes a run of a job, which a worker then claims.
 * @param isByHand a person starts it, also outside of the backup window
 * @returns its id; `null` while one runs
 */
export async function makeSession(
  connection: Connection,
  { providerId, id }: JobKey,
  at: Date,
  isByHand = false,
): Promise<string | null> {
  const session = newId();
  const made = await insert(
    connection,
    m365JobSessions,
    { providerId, id: session, jobId: id, startedAt: at, result: 'Running', isByHand },
    sql`on conflict (provider_id, job_id) where ended_at is null do nothing`,
  );
  return made === 1 ? session : null;
}

/** Asks the run of a job to end. @returns its id; `null` where none runs */
export async function askToStop(connection: Connection, { providerId, id }: JobKey, at: Date): Promise<string | null> {
  const found = await row<{ id: string }>(
    connection,
    sql`update m365_job_sessions s set stop_asked_at = coalesce(s.stop_asked_at, ${at})
        where s.provider_id = ${providerId} and s.job_id = ${id} and s.ended_at is null returning s.id`,
  );
  return found?.id ?? null;
}

/** Whether a run of the job goes on. */
export async function isRunning(connection: Connection, { providerId, id }: JobKey): Promise<boolean> {
  const found = await row(
    connection,
    sql`select from m365_job_sessions s where s.provider_id = ${providerId} and s.job_id = ${id} and s.ended_at is null`,
  );
  return found !== null;
}

/** Whether a run that has not ended writes into a repository, were its job moved to another one since. */
export async function isWrittenInto(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
): Promise<boolean> {
  const found = await row(
    connection,
    sql`select from m365_job_sessions s where s.provider_id = ${providerId} and s.repository_id = ${id} and s.ended_at is null`,
  );
  return found !== null;
}

/** Reads runs of a job, newest first. */
export async function listSessions(
  connection: Connection,
  job: JobKey,
  range: { limit: number; offset: number },
): Promise<JobSession[]> {
  return (await readSessionRows(connection, job, range)).map(wireSessionOf);
}

/** The same as they are stored. */
export function readSessionRows(
  connection: Connection,
  { providerId, id }: JobKey,
  { limit, offset }: { limit: number; offset: number },
): Promise<SessionRow[]> {
  return rows<SessionRow>(
    connection,
    sql`select ${SESSION_FIELDS} from m365_job_sessions s where s.provider_id = ${providerId} and s.job_id = ${id}
        order by s.started_at desc, s.id limit ${limit} offset ${offset}`,
  );
}

export type LogLine = CallReply<typeof listSessionLog>['data'][number];

export interface LogQuery {
  type?: readonly string[] | undefined;
  limit: number;
  offset: number;
}

/** Reads the log of a run in the order in which it was written; `null` where the job has no such run. */
export async function readSessionLog(
  connection: Connection,
  { providerId, id }: JobKey,
  sessionId: string,
  { type, limit, offset }: LogQuery,
): Promise<Page<LogLine> | null> {
  const session = await row(
    connection,
    sql`select from m365_job_sessions s where s.provider_id = ${providerId} and s.id = ${sessionId} and s.job_id = ${id}`,
  );
  if (session === null) return null;
  const levels = type === undefined ? sql`true` : sql`g.level = any(${sql.param(type)}::text[])`;
  const where = sql`g.provider_id = ${providerId} and g.session_id = ${sessionId} and ${levels}`;
  return readPage<LogLine>(
    connection,
    sql`select g.at as "creationTime", g.level as type, g.object_name as "objectName", g.text as message from m365_session_log g
        where ${where} order by g.line limit ${limit} offset ${offset}`,
    sql`select count(*) as count from m365_session_log g where ${where}`,
  );
}

/** A run that no worker has claimed ends at once when it is asked to: nothing of it has begun. */
export async function endUnclaimed(connection: Connection, { providerId, id }: JobKey, at: Date): Promise<void> {
  await execute(
    connection,
    sql`update m365_job_sessions s set ended_at = ${at}, result = 'Warning', message = 'Stopped before it began.'
        where s.provider_id = ${providerId} and s.job_id = ${id} and s.ended_at is null and s.stop_asked_at is not null and s.claimed_until is null`,
  );
}
