import type { SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import { SAME_START_MS_MAX } from '../../runs/attempt.ts';
import { JOBS } from '../../runs/jobs.ts';
import { instantText, millisecondsOf, plainArray } from '../../runs/rows/column-arrays.ts';
import type { StoredSource } from '../stored-source.ts';
import { HISTORY_DAYS, joined, type TimeRange } from './history-ranges.ts';

const DAY_MS = 86_400_000;

/**
 * Returns ranges that were read before and have late runs by now: a backup server or agent may be cut off from its console for days
 * and report afterwards, and a console's clock may be hours behind. Such a job shows a last run before `unreadFrom` that is newer than
 * all its known runs; the history has the runs in between by now. The same applies to a run known as running that has ended: without
 * an end time of its own, it is not in the unread range.
 */
export async function lateReportedRanges(
  connection: Connection,
  source: Pick<StoredSource, 'providerId' | 'id'>,
  jobs: readonly SourceJob[],
  unreadFrom: Date,
): Promise<TimeRange[]> {
  const earliestMs = unreadFrom.getTime() - HISTORY_DAYS * DAY_MS;
  const shown = jobs.flatMap(({ externalId, lastRun }) => {
    // A last run with only an end time cannot be distinguished from a known one.
    if (lastRun === null || lastRun.endedAt?.getTime() === lastRun.startedAt.getTime()) return [];
    const { startedAt, endedAt, result } = lastRun;
    const isOutside = startedAt.getTime() < earliestMs || (endedAt ?? startedAt) >= unreadFrom;
    return isOutside ? [] : [{ externalId, startedAt, hasEnded: result !== 'Running' }];
  });
  if (shown.length === 0) return [];
  const ids = sql.param(shown.map(({ externalId }) => externalId));
  const starts = plainArray(
    shown.map(({ startedAt }) => instantText(startedAt.getTime())),
    'timestamptz',
  );
  const ended = sql.param(shown.map(({ hasEnded }) => hasEnded));
  const late = await rows<{ knownMs: number | null; startedAtMs: number }>(
    connection,
    sql`select ${millisecondsOf('greatest(j.last_started_at, j.last_ended_at)')} as "knownMs", ${millisecondsOf('k.started_at')} as "startedAtMs"
        from unnest(${ids}::text[], ${starts}, ${ended}::boolean[]) as k (id, started_at, has_ended)
        join ${JOBS} j on j.provider_id = ${source.providerId} and j.source_id = ${source.id} and j.external_id = k.id
        where j.last_started_at is null or (j.last_result = 'Running' and k.has_ended)
          or greatest(j.last_started_at, j.last_ended_at) < k.started_at - make_interval(secs => ${SAME_START_MS_MAX / 1_000})`,
  );
  return joined(
    late.map(({ knownMs, startedAtMs }) => ({
      from: new Date(Math.max(Math.min(knownMs ?? startedAtMs, startedAtMs), earliestMs)),
      to: new Date(Math.min(startedAtMs + SAME_START_MS_MAX, unreadFrom.getTime())),
    })),
  );
}
