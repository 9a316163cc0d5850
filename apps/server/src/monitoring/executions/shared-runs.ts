import type { PoolClient } from 'pg';
import type { Connection } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { type Attempt, isEqualAttempt, retold } from './attempt.ts';
import { shareOf } from './batch-changes.ts';
import { BinaryRows } from './binary-rows.ts';
import { DayRollups } from './day-rollups.ts';
import { executionId } from './execution-id.ts';
import { type Execution, readExecutions } from './execution-rows.ts';
import { type JobMemory, readMemories } from './job-memory.ts';
import { attemptOf, impossibility, type NewExecution } from './new-execution.ts';
import type { Tries } from './retries.ts';
import { workAfter } from './run-changes.ts';
import type { Taken } from './take-executions.ts';
import { addRow, insertExecutions, removeExecutions, updateExecutions, writeLogs } from './write-executions.ts';

/** A run of a shared job: of one of several jobs that have its name. */
export interface SharedRun extends NewExecution {
  /** The source's id of the run: two jobs of one name may begin at the same instant. */
  externalId: string;
}

export function sharedRunId(providerId: number, { jobInstanceUid, externalId, startedAt }: SharedRun): string {
  return executionId(providerId, `${jobInstanceUid}/${externalId}`, startedAt);
}

/** Those of the runs that are stored, by id. */
export function readSharedRuns(
  connection: Connection,
  providerId: number,
  runs: readonly SharedRun[],
): Promise<ReadonlyMap<string, Execution>> {
  const keys = runs.map((run) => ({ id: sharedRunId(providerId, run), startedAtMs: run.startedAt.getTime() }));
  return readExecutions(connection, providerId, keys);
}

/**
 * Writes runs of shared jobs with the sums of their days. They are of several jobs, so what relates the runs of one job does not
 * apply: none is another's retry, each is one by the source's own id, none is judged by a range of values, and nothing is
 * remembered of the job. Has to hold the lock of executions. Gives what became of them.
 */
export async function takeSharedRuns(
  connection: PoolClient,
  providerId: number,
  runs: readonly SharedRun[],
  stored: ReadonlyMap<string, Execution>,
  now: Date,
): Promise<Taken> {
  const refused = runs.flatMap((execution) => {
    const reason = impossibility(execution, now);
    return reason === null ? [] : [{ execution, reason }];
  });
  const impossible = new Set<NewExecution>(refused.map(({ execution }) => execution));
  const possible = runs.filter((run) => !impossible.has(run));
  const jobs = await readMemories(connection, providerId, [...new Set(possible.map((run) => run.jobInstanceUid))]);
  const added = new Map<string, Execution>();
  const changed: { before: Execution; after: Execution }[] = [];
  for (const run of possible) {
    const job = jobs.get(run.jobInstanceUid);
    const id = sharedRunId(providerId, run);
    const before = stored.get(id);
    const after = job === undefined ? null : sharedExecution(id, job, before, attemptOf(run));
    if (after === null) continue;
    if (before === undefined) added.set(id, after);
    else if (!isEqualAttempt(before.tries[0], after.tries[0])) changed.push({ before, after });
  }
  await write(connection, providerId, { added: [...added.values()], changed, removed: [] });
  return { added: added.size, changed: changed.length, refused };
}

function sharedExecution(id: string, job: JobMemory, before: Execution | undefined, attempt: Attempt): Execution {
  const tries: Tries = [before === undefined ? attempt : retold(before.tries[0], attempt)];
  const anomalies = tries[0].signs;
  const { jobInstanceUid, companyId, sourceGroup } = job;
  return { id, jobInstanceUid, companyId, sourceGroup, tries, anomalies, work: workAfter(before, tries, anomalies) };
}

/** Removes runs of shared jobs, and takes them out of the sums of their days. Has to hold the lock of executions. */
export function removeSharedRuns(
  connection: PoolClient,
  providerId: number,
  removed: readonly Execution[],
): Promise<void> {
  return write(connection, providerId, { added: [], changed: [], removed });
}

interface Changes {
  added: readonly Execution[];
  changed: readonly { before: Execution; after: Execution }[];
  removed: readonly Execution[];
}

async function write(connection: PoolClient, providerId: number, changes: Changes): Promise<void> {
  const { added, changed, removed } = changes;
  if (added.length + changed.length + removed.length === 0) return;
  const rollups = new DayRollups();
  const copied = new BinaryRows();
  for (const execution of removed) rollups.take(shareOf(execution));
  for (const { before, after } of changed) {
    rollups.take(shareOf(before));
    rollups.add(shareOf(after));
  }
  for (const execution of added) {
    addRow(copied, providerId, execution);
    rollups.add(shareOf(execution));
  }
  await removeExecutions(connection, providerId, removed);
  await updateExecutions(connection, providerId, changed);
  await insertExecutions(connection, copied);
  await rollups.write(connection, providerId);
  await writeLogs(connection, providerId, [...added, ...changed.map(({ after }) => after)]);
  await rollups.measureDurations(connection, providerId);
  await publish(connection, { name: 'executions.changed', providerId });
}
