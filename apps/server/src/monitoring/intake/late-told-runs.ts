import type { SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import { instantText, plainArray } from '../executions/column-arrays.ts';
import { millisecondsOf } from '../executions/job-memory.ts';
import { HISTORY_DAYS, joined, type TimeRange } from './history-ranges.ts';
import type { StoredSource } from './stored-source.ts';

/** A job and the history may show the same start this far apart. */
const SAME_RUN_MS_MAX = 60_000;
const DAY_MS = 86_400_000;

/**
 * Stretches of time that were read before, in which jobs ran as it turns out now: what stands behind a console (a backup server, an
 * agent) may be cut off from it for days and tell its runs afterwards, and a console's clock may be hours behind. A job shows that
 * by a last run which lies before `unreadFrom` and after all that is known of it; its runs in between are in the history by now.
 */
export async function toldLate(
  connection: Connection,
  source: Pick<StoredSource, 'providerId' | 'id'>,
  jobs: readonly SourceJob[],
  unreadFrom: Date,
): Promise<TimeRange[]> {
  const earliestMs = unreadFrom.getTime() - HISTORY_DAYS * DAY_MS;
  const shown = jobs.flatMap(({ externalId, lastRun }) => {
    // A last run that shows only its end cannot be told from one that is known.
    if (lastRun === null || lastRun.endedAt?.getTime() === lastRun.startedAt.getTime()) return [];
    const { startedAt, endedAt } = lastRun;
    return startedAt.getTime() >= earliestMs && (endedAt ?? startedAt) < unreadFrom ? [{ externalId, startedAt }] : [];
  });
  if (shown.length === 0) return [];
  const starts = shown.map(({ startedAt }) => instantText(startedAt.getTime()));
  const late = await rows<{ knownMs: number | null; startedAtMs: number }>(
    connection,
    sql`select ${millisecondsOf('greatest(j.last_started_at, j.last_ended_at)')} as "knownMs", ${millisecondsOf('k.started_at')} as "startedAtMs"
        from unnest(${sql.param(shown.map(({ externalId }) => externalId))}::text[], ${plainArray(starts, 'timestamptz')}) as k (id, started_at)
        join jobs j on j.provider_id = ${source.providerId} and j.source_id = ${source.id} and j.external_id = k.id
        where j.last_started_at is null
          or greatest(j.last_started_at, j.last_ended_at) < k.started_at - make_interval(secs => ${SAME_RUN_MS_MAX / 1_000})`,
  );
  return joined(
    late.map(({ knownMs, startedAtMs }) => ({
      from: new Date(Math.max(knownMs ?? startedAtMs, earliestMs)),
      to: new Date(Math.min(startedAtMs + SAME_RUN_MS_MAX, unreadFrom.getTime())),
    })),
  );
}
