import { sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import { type Connection, execute, rows } from '../foundation/database.ts';
import type { IngestResult } from '../ingest/ingest-runs.ts';
import { SAME_START_MS_MAX } from '../runs/attempt.ts';
import { startIn } from '../runs/execution-id.ts';
import { joinedNotes } from '../runs/execution-notes.ts';
import { refreshFaultStates } from '../runs/faults/fault-states.ts';
import { JOB_EXECUTION_LOGS, JOB_EXECUTIONS } from '../runs/job-executions.ts';
import type { NewRun } from '../runs/new-run.ts';
import { lastAttempt } from '../runs/retries.ts';
import { instantText, millisecondsOf, plainArray, uuidArray } from '../runs/rows/column-arrays.ts';
import { type Execution, readExecutions, type Work } from '../runs/rows/execution-rows.ts';
import { removeSharedRuns } from './shared-runs.ts';

/** A run by its key: the start is part of its id. */
export interface RunKey {
  id: string;
  startedAtMs: number;
}

/** Locks runs in the order in which users' changes lock them (see execution-changes.ts), and reads them in that order. */
export async function lockRuns(
  connection: Connection,
  providerId: number,
  keys: readonly RunKey[],
): Promise<Execution[]> {
  await execute(
    connection,
    sql`select from ${JOB_EXECUTIONS} e where e.provider_id = ${providerId}
          and (e.started_at, e.id) in (select * from unnest(${startsOf(keys)}, ${uuidArray(keys.map(({ id }) => id))}))
        order by e.started_at, e.id for update of e`,
  );
  const found = await readExecutions(connection, providerId, keys);
  return [...found.values()].sort((one, other) => startOf(one) - startOf(other) || (one.id < other.id ? -1 : 1));
}

/** Separates runs that can be moved to a job from those that clash with the start of another run there. */
export async function sortedByRoom(
  connection: Connection,
  providerId: number,
  runs: readonly Execution[],
  jobInstanceUid: string,
): Promise<{ movable: Execution[]; clashing: Execution[] }> {
  const known = await readStartsAround(connection, providerId, runs, jobInstanceUid);
  const movable: Execution[] = [];
  const clashing: Execution[] = [];
  for (const run of runs) {
    const hasRoom = known.every((start) => Math.abs(start - startOf(run)) >= SAME_START_MS_MAX);
    (hasRoom ? movable : clashing).push(run);
    if (hasRoom) known.push(startOf(run));
  }
  return { movable, clashing };
}

async function readStartsAround(
  connection: Connection,
  providerId: number,
  runs: readonly Execution[],
  jobInstanceUid: string,
): Promise<number[]> {
  const found = await rows<{ at: number }>(
    connection,
    sql`select ${millisecondsOf('a.at')} as at from unnest(${startsOf(runs.map(keyOf))}) as k (at)
        cross join lateral (select n.started_at, n.id, n.attempts from ${JOB_EXECUTIONS} n
          where n.provider_id = ${providerId} and n.job_instance_uid = ${jobInstanceUid} and n.result <> 'DidntRun'
            and n.started_at <= k.at + interval '1 minute' order by n.started_at desc limit 2) e
        left join ${JOB_EXECUTION_LOGS} l on e.attempts > 1 and l.provider_id = ${providerId} and l.started_at = e.started_at and l.execution_id = e.id
        cross join lateral (select e.started_at as at union select (t->>'startedAt')::timestamptz from jsonb_array_elements(l.attempts) t) a`,
  );
  return found.map(({ at }) => at);
}

/**
 * Moves runs of a shared job to one of its candidates and returns their new ids. The runs are ingested like any others, so that
 * retries, rollups, missed runs and job state are the same as if the source had named the job. Users' states and notes move along.
 * The caller holds the lock of executions and has checked the runs with `sortedByRoom`.
 */
export async function moveSharedRuns(
  connection: PoolClient,
  ingest: (executions: readonly NewRun[]) => Promise<IngestResult>,
  providerId: number,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, string>> {
  if (moves.length === 0) return new Map();
  const runs = moves.map(({ run }) => run);
  await ingest(moves.map((move) => move.as));
  await removeSharedRuns(connection, providerId, runs);
  const ids = await newIdsOf(connection, providerId, moves);
  await passWorkOn(connection, providerId, runs, ids);
  await refreshFaultStates(connection, providerId, [...new Set(ids.values())]);
  return ids;
}

/** A run of a shared job, and the run of a candidate that replaces it. */
export interface Move {
  run: Execution;
  as: NewRun;
}

/** Returns a stored run as its source would have reported it for a job. */
export function asRunOf(jobInstanceUid: string, run: Execution, isDoubtful: boolean): Move {
  return { run, as: { ...newRunOf(run), jobInstanceUid, isDoubtful } };
}

function newRunOf({ attempts }: Execution): Omit<NewRun, 'jobInstanceUid'> {
  const { startedAtMs, endedAtMs, signs, log, ...rest } = lastAttempt(attempts);
  return {
    ...rest,
    startedAt: new Date(startedAtMs),
    endedAt: endedAtMs === null ? null : new Date(endedAtMs),
    log: log.map((line) => ({ ...line, at: line.at === null ? null : new Date(line.at) })),
    restorePointCreated: signs.includes('no-restore-point') ? false : null,
  };
}

/** Reads the new ids. A run that became a later attempt of the run before it has the id of that run. */
async function newIdsOf(
  connection: Connection,
  providerId: number,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, string>> {
  const olds = uuidArray(moves.map(({ run }) => run.id));
  const jobs = uuidArray(moves.map(({ as }) => as.jobInstanceUid));
  const starts = startsOf(moves.map(({ as }) => ({ startedAtMs: as.startedAt.getTime() })));
  const found = await rows<{ id: string; newId: string }>(
    connection,
    sql`select k.id, e.id as "newId" from unnest(${olds}, ${jobs}, ${starts}) as k (id, job, at)
        cross join lateral (select n.id from ${JOB_EXECUTIONS} n where n.provider_id = ${providerId} and n.job_instance_uid = k.job
          and n.result <> 'DidntRun' and n.started_at <= k.at order by n.started_at desc limit 1) e`,
  );
  return new Map(found.map(({ id, newId }) => [id, newId]));
}

/** Copies users' states to the new runs, except where a user has already changed those, and adds the notes to theirs. */
async function passWorkOn(
  connection: Connection,
  providerId: number,
  runs: readonly Execution[],
  newIds: ReadonlyMap<string, string>,
): Promise<void> {
  const works = new Map<string, Work>();
  for (const { id, work } of runs) {
    const newId = newIds.get(id);
    const isWorkedOn = work.changedBy !== null || work.notes !== null;
    if (newId !== undefined && isWorkedOn) works.set(newId, joinedWork(works.get(newId), work));
  }
  if (works.size === 0) return;
  const records = [...works].map(([id, work]) => ({ id, startedAt: startIn(id), ...work }));
  const isFree = sql`k."changedBy" is not null and e.changed_by is null`;
  const joined = sql`(select jsonb_agg(n.note order by (n.note->>'at')::timestamptz, n.place)
    from jsonb_array_elements(e.notes || k.notes) with ordinality as n (note, place))`;
  await execute(
    connection,
    sql`update ${JOB_EXECUTIONS} e set notes = coalesce(${joined}, e.notes, k.notes), state = case when ${isFree} then k.state else e.state end,
          ignored_until = case when ${isFree} then k."ignoredUntil" else e.ignored_until end,
          changed_by_name = case when ${isFree} then k."changedByName" else e.changed_by_name end,
          changed_at = case when ${isFree} then k."changedAt" else e.changed_at end, changed_by = coalesce(e.changed_by, k."changedBy")
        from json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, "startedAt" timestamptz, state execution_state,
          "ignoredUntil" timestamptz, notes jsonb, "changedBy" uuid, "changedByName" text, "changedAt" timestamptz)
        where e.provider_id = ${providerId} and e.started_at = k."startedAt" and e.id = k.id`,
  );
}

/** Merges users' changes to runs that are now attempts of one run: the last state and all notes. */
function joinedWork(one: Work | undefined, other: Work): Work {
  if (one === undefined) return other;
  const isOtherLast = other.changedBy !== null && Date.parse(other.changedAt ?? '') >= Date.parse(one.changedAt ?? '');
  const last = one.changedBy === null || isOtherLast ? other : one;
  return { ...last, notes: joinedNotes(one.notes, other.notes) };
}

function startOf(run: Execution): number {
  return run.attempts[0].startedAtMs;
}

function keyOf(run: Execution): RunKey {
  return { id: run.id, startedAtMs: startOf(run) };
}

function startsOf(keys: readonly Pick<RunKey, 'startedAtMs'>[]) {
  return plainArray(
    keys.map(({ startedAtMs }) => instantText(startedAtMs)),
    'timestamptz',
  );
}
