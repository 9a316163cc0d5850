import type { editFaults } from '@keepwatch/contract/faults/faults';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { ChangedRun } from '../executions/execution-changes.ts';
import { startIn } from '../runs/execution-id.ts';

type RunsBefore = CallReply<typeof editFaults>['before'][number];

/** Fewer runs that follow each other are named one by one: that is shorter. */
const SPAN_MIN = 5;

/** What runs, ordered by their start, were before a change: those that were alike together, and many of one job by the first and the last. */
export function runsBefore(changed: readonly ChangedRun[]): RunsBefore[] {
  const groups = new Map<string, RunsBefore>();
  for (const [jobInstanceUid, runs] of Map.groupBy(changed, (run) => run.jobInstanceUid))
    for (const alike of sequencesOf(runs)) {
      const [first, last] = [alike.at(0), alike.at(-1)];
      if (first === undefined || last === undefined) continue;
      const { state, ignoredUntil, changedById, changedAt } = first;
      const group = groups.get(keyOf(first)) ?? { ids: [], spans: [], state, ignoredUntil, changedById, changedAt };
      groups.set(keyOf(first), group);
      const span = { jobInstanceUid, from: startIn(first._id), to: startIn(last._id), runs: alike.length };
      if (alike.length < SPAN_MIN) group.ids.push(...alike.map(({ _id }) => _id));
      else group.spans.push(span);
    }
  return [...groups.values()];
}

function keyOf({ state, ignoredUntil, changedById, changedAt }: ChangedRun): string {
  return `${state} ${ignoredUntil} ${changedById} ${changedAt}`;
}

/** Runs that were alike, with no other one between them. */
function sequencesOf(runs: readonly ChangedRun[]): ChangedRun[][] {
  const sequences: ChangedRun[][] = [];
  let key: string | null = null;
  for (const run of runs) {
    if (keyOf(run) === key) sequences.at(-1)?.push(run);
    else sequences.push([run]);
    key = keyOf(run);
  }
  return sequences;
}
