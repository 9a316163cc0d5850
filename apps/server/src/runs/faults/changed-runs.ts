import type { Connection } from '../../foundation/database.ts';
import { lastAttempt } from '../retries.ts';
import { type Execution, isFineExecution, type JobSpan } from '../rows/execution-rows.ts';
import { mergedByJob } from './merged-spans.ts';
import { refreshFaults } from './refresh-faults.ts';
import { spansOfFaults } from './spans-of-faults.ts';

type RunClass = 'running' | 'fine' | 'not-fine';

interface Changes {
  added: readonly Execution[];
  changed: readonly { before: Execution; after: Execution }[];
  removed: readonly Execution[];
  /** All of it comes after a run that is fine, and after every missed run. */
  isAfterFine: boolean;
}

/**
 * Collects where runs change, so that their faults are made again once all are written. Runs that are fine matter only to jobs with a fault
 * around them: for a batch of such runs, that is one query. After another one that is fine there is none.
 */
export class ChangedRuns {
  readonly #notFine: JobSpan[] = [];
  readonly #fine: JobSpan[] = [];

  note({ added, changed, removed, isAfterFine }: Changes): void {
    if (isAfterFine && added.every((run) => classOf(run) !== 'not-fine')) return;
    for (const run of added) this.add(run.jobInstanceUid, startOf(run), classOf(run));
    for (const run of removed) this.add(run.jobInstanceUid, startOf(run), classOf(run));
    for (const { before, after } of changed) {
      const [was, is] = [classOf(before), classOf(after)];
      if (was === is && is !== 'not-fine') continue;
      this.add(after.jobInstanceUid, startOf(after), was === 'not-fine' || is === 'not-fine' ? 'not-fine' : 'fine');
    }
  }

  /** Adds a run that comes or goes. One that runs is no part of a fault and ends none. */
  add(jobInstanceUid: string, startedAtMs: number, runClass: RunClass): void {
    if (runClass === 'running') return;
    (runClass === 'fine' ? this.#fine : this.#notFine).push({ jobInstanceUid, fromMs: startedAtMs, toMs: startedAtMs });
  }

  /** Call it once all runs are written. The caller holds the executions lock. */
  async refreshFaults(connection: Connection, providerId: number): Promise<void> {
    const known = new Set(this.#notFine.map(({ jobInstanceUid }) => jobInstanceUid));
    const ofKnown = this.#fine.filter(({ jobInstanceUid }) => known.has(jobInstanceUid));
    const others = this.#fine.filter(({ jobInstanceUid }) => !known.has(jobInstanceUid));
    const touching = await spansOfFaults(connection, providerId, mergedByJob(others));
    await refreshFaults(connection, providerId, [...this.#notFine, ...ofKnown, ...touching]);
  }
}

function startOf({ attempts }: Execution): number {
  return attempts[0].startedAtMs;
}

function classOf(run: Execution): RunClass {
  if (lastAttempt(run.attempts).result === 'Running') return 'running';
  return isFineExecution(run) ? 'fine' : 'not-fine';
}
