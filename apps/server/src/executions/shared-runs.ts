import type { PoolClient } from 'pg';
import { readDayClocks } from '../backup-days/stored-clocks.ts';
import type { Connection } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import { shareOf } from '../ingest/batch-changes.ts';
import type { IngestResult } from '../ingest/ingest-runs.ts';
import { workAfter } from '../ingest/run-changes.ts';
import { addRow, insertExecutions, removeExecutions, updateExecutions, writeLogs } from '../ingest/write-executions.ts';
import { type Attempt, isEqualAttempt, withNewerReport } from '../runs/attempt.ts';
import { DayRollups } from '../runs/day-rollups.ts';
import { executionId } from '../runs/execution-id.ts';
import { ChangedRuns } from '../runs/faults/changed-runs.ts';
import { attemptOf, type NewRun, rejectionReason } from '../runs/new-run.ts';
import type { Attempts } from '../runs/retries.ts';
import { BinaryRows } from '../runs/rows/binary-rows.ts';
import { type Execution, readExecutions } from '../runs/rows/execution-rows.ts';
import { forgetFineRuns, type JobState, readJobStates } from '../schedules/job-state.ts';

/** A run of a shared job, that is, of one of several jobs with the same name. */
export interface SharedRun extends NewRun {
  /** The source's id of the run, as two jobs of one name may start at the same time. */
  externalId: string;
}

export function sharedRunId(providerId: number, { jobInstanceUid, externalId, startedAt }: SharedRun): string {
  return executionId(providerId, `${jobInstanceUid}/${externalId}`, startedAt);
}

/** Reads the runs that are already stored, by id. */
export function readSharedRuns(
  connection: Connection,
  providerId: number,
  runs: readonly SharedRun[],
): Promise<ReadonlyMap<string, Execution>> {
  const keys = runs.map((run) => ({ id: sharedRunId(providerId, run), startedAtMs: run.startedAt.getTime() }));
  return readExecutions(connection, providerId, keys);
}

/**
 * Writes runs of shared jobs with their day rollups and faults. As they belong to several jobs, no run is a retry of another, each is identified
 * by the source's own id, none is measured against a baseline, and no job state is updated. The caller holds the lock of executions.
 */
export async function ingestSharedRuns(
  connection: PoolClient,
  providerId: number,
  runs: readonly SharedRun[],
  stored: ReadonlyMap<string, Execution>,
  now: Date,
): Promise<IngestResult> {
  const refused = runs.flatMap((execution) => {
    const reason = rejectionReason(execution, now);
    return reason === null ? [] : [{ execution, reason }];
  });
  const impossible = new Set<NewRun>(refused.map(({ execution }) => execution));
  const possible = runs.filter((run) => !impossible.has(run));
  const jobs = await readJobStates(connection, providerId, [...new Set(possible.map((run) => run.jobInstanceUid))]);
  const added = new Map<string, Execution>();
  const changed: { before: Execution; after: Execution }[] = [];
  for (const run of possible) {
    const job = jobs.get(run.jobInstanceUid);
    const id = sharedRunId(providerId, run);
    const before = stored.get(id);
    const after = job === undefined ? null : sharedExecution(id, job, before, attemptOf(run));
    if (after === null) continue;
    if (before === undefined) added.set(id, after);
    else if (!isEqualAttempt(before.attempts[0], after.attempts[0])) changed.push({ before, after });
  }
  await write(connection, providerId, { added: [...added.values()], changed, removed: [] });
  return { added: added.size, changed: changed.length, refused };
}

function sharedExecution(id: string, job: JobState, before: Execution | undefined, attempt: Attempt): Execution {
  const attempts: Attempts = [before === undefined ? attempt : withNewerReport(before.attempts[0], attempt)];
  const anomalies = attempts[0].signs;
  const { jobInstanceUid, companyId, sourceGroup } = job;
  return {
    id,
    jobInstanceUid,
    companyId,
    sourceGroup,
    attempts,
    anomalies,
    work: workAfter(before, attempts, anomalies),
  };
}

/** Removes runs of shared jobs, also from their day rollups. The caller holds the lock of executions. */
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
  const rollups = new DayRollups(await readDayClocks(connection, providerId));
  const copied = new BinaryRows();
  for (const execution of removed) rollups.subtract(shareOf(execution));
  for (const { before, after } of changed) {
    rollups.subtract(shareOf(before));
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
  const changedRuns = new ChangedRuns();
  changedRuns.note({ ...changes, isAfterFine: false });
  await changedRuns.refreshFaults(connection, providerId);
  const written = [...added, ...removed, ...changed.map(({ after }) => after)];
  await forgetFineRuns(connection, providerId, [...new Set(written.map((run) => run.jobInstanceUid))]);
  await publish(connection, { name: 'executions.changed', providerId });
}
