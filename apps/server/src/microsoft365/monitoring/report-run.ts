import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows } from '../../foundation/database.ts';
import { type Ingest, ingestInTransaction } from '../../ingest/ingest-runs.ts';
import { LOG_LINES_MAX } from '../../runs/execution-log.ts';
import type { LogLine } from '../../runs/log-line.ts';
import type { NewRun } from '../../runs/new-run.ts';
import type { ClaimedSession } from '../sessions/claims.ts';
import type { SessionEnd } from '../sessions/session-end.ts';
import { SessionLog } from '../sessions/session-log.ts';
import { reportJobs } from './monitored-jobs.ts';

/** Shows a run in Monitoring as running, so that a long one does not count as missed. */
export async function reportBegin(database: Pool, session: ClaimedSession, now: Date): Promise<void> {
  const { providerId, jobId, startedAt } = session;
  await ingestInTransaction(database, providerId, now, async (connection, ingest) => {
    await reportJobs(connection, providerId, now, jobId);
    await ingest([{ jobInstanceUid: jobId, startedAt: new Date(startedAt), endedAt: null, result: 'Running' }]);
  });
}

/** Shows in Monitoring how a run ended, in the transaction that ends it. */
export async function reportEnd(
  connection: Connection,
  ingest: Ingest,
  session: ClaimedSession,
  end: SessionEnd,
  at: Date,
): Promise<void> {
  await reportJobs(connection, session.providerId, at, session.jobId);
  const { lines, count } = await readLog(connection, session);
  const { refused } = await ingest([{ ...runOf(session, end, at), log: lines, logLineCount: count }]);
  if (refused.length > 0) await logRefusals(connection, session, refused, at);
}

function runOf(session: ClaimedSession, { result, message, progress, restorePoint }: SessionEnd, at: Date): NewRun {
  const startedAt = new Date(session.startedAt);
  return {
    jobInstanceUid: session.jobId,
    startedAt,
    endedAt: at > startedAt ? at : startedAt,
    result,
    message,
    transferredBytes: progress.bytesRead,
    processedBytes: progress.bytesRead,
    processedFiles: progress.itemsRead,
    restorePointCreated: restorePoint !== null,
  };
}

/** A run without a log in Monitoring is better than one that never ends. */
async function logRefusals(
  connection: Connection,
  session: ClaimedSession,
  refused: readonly { reason: string }[],
  at: Date,
): Promise<void> {
  const log = new SessionLog(connection, session, () => at);
  for (const { reason } of refused) log.add('warning', null, `Monitoring does not show this run: ${reason}.`);
  await log.flush();
}

/** Where a log has more lines than Monitoring stores, those with problems come before the others. */
async function readLog(
  connection: Connection,
  { providerId, id }: ClaimedSession,
): Promise<{ lines: LogLine[]; count: number }> {
  const found = await rows<{ at: string; level: LogLine['level']; text: string; count: number }>(
    connection,
    sql`select l.at, l.level, coalesce(l.object_name || ': ', '') || l.text as text, l.count from (
          select g.*, count(*) over () as count, row_number() over (order by g.level = 'info', g.line) as place
          from m365_session_log g where g.provider_id = ${providerId} and g.session_id = ${id}) l
        where l.place <= case when l.count > ${LOG_LINES_MAX}::int then ${LOG_LINES_MAX - 1}::int else ${LOG_LINES_MAX}::int end order by l.line`,
  );
  const lines = found.map(({ at, level, text }) => ({ at: new Date(at), level, text }));
  return { lines, count: found[0]?.count ?? 0 };
}
