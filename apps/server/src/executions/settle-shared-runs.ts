import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows } from '../foundation/database.ts';
import { ingestInTransaction } from '../ingest/ingest-runs.ts';
import { SAME_START_MS_MAX } from '../runs/attempt.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import type { NewRun } from '../runs/new-run.ts';
import { instantText, millisecondsOf, plainArray, uuidArray } from '../runs/rows/column-arrays.ts';
import { lockRuns, moveSharedRuns, type RunKey } from './move-shared-runs.ts';

/**
 * Moves runs of shared jobs to the job that reports them. When a job runs after the sync has read the jobs but before it reads the
 * history, the next sync shows that run as the job's last one. Only a run that is new to the job can be such a run.
 */
export async function settleSharedRuns(
  pool: Pool,
  providerId: number,
  reported: readonly NewRun[],
  sharedJobs: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  if (reported.length === 0) return;
  const found = await findSameRuns(pool, providerId, reported, sharedJobs);
  if (found.length === 0) return;
  const runOf = new Map(found.map((same) => [same.id, reported[same.place]]));
  await ingestInTransaction(pool, providerId, now, async (connection, ingest) => {
    const runs = await lockRuns(connection, providerId, found);
    const moves = runs.flatMap((run) => {
      const as = runOf.get(run.id);
      return as === undefined ? [] : [{ run, as }];
    });
    await moveSharedRuns(connection, ingest, providerId, moves);
  });
}

interface SameRun extends RunKey {
  /** Index of the run among the reported ones. */
  place: number;
}

/** Pairs stored with reported runs; each belongs to at most one pair. */
async function findSameRuns(
  connection: Connection,
  providerId: number,
  reported: readonly NewRun[],
  sharedJobs: ReadonlyMap<string, string>,
): Promise<SameRun[]> {
  const margin = sql`make_interval(secs => ${SAME_START_MS_MAX / 1_000})`;
  const found = await rows<SameRun>(
    connection,
    sql`select k.place::int - 1 as place, e.id, ${millisecondsOf('e.started_at')} as "startedAtMs"
        from unnest(${uuidArray(reported.map((run) => run.jobInstanceUid))}, ${uuidArray(reported.map((run) => sharedJobs.get(run.jobInstanceUid) ?? null))},
          ${plainArray(
            reported.map((run) => instantText(run.startedAt.getTime())),
            'timestamptz',
          )}, ${plainArray(
            reported.map((run) => run.result),
            'execution_result',
          )}) with ordinality as k (job, shared, at, result, place)
        cross join lateral (select n.id, n.started_at from ${JOB_EXECUTIONS} n where n.provider_id = ${providerId} and n.job_instance_uid = k.shared
          and n.started_at between k.at - ${margin} and k.at + ${margin} and n.result = k.result offset 0) e
        where not exists (select from ${JOB_EXECUTIONS} o where o.provider_id = ${providerId} and o.job_instance_uid = k.job
          and o.started_at between k.at - ${margin} and k.at + ${margin} and o.result <> 'DidntRun')
        order by abs(date_part('epoch', e.started_at - k.at)), e.id`,
  );
  const places = new Set<number>();
  const ids = new Set<string>();
  return found.filter(({ place, id }) => {
    if (places.has(place) || ids.has(id)) return false;
    places.add(place);
    return ids.add(id);
  });
}
