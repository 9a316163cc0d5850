import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import type { State } from '@keepwatch/contract/runs/values';
import { nameOfJob } from '../../entities/job-name.ts';
import { DONE, failureOf } from '../../entities/run-edits/edit-texts.ts';
import type { Before, Edit } from '../../entities/run-edits/undo.ts';
import { formatCount, formatRuns } from '../../kit/format/numbers.ts';

const AGAIN: Readonly<Record<State, string>> = {
  pending: 'pending',
  'in-progress': 'in progress',
  resolved: 'resolved',
  ignored: 'ignored',
};

type Change = Edit['change'];

/** What a text is about: so many runs, of which one is named where it is the only one and known. */
export interface Subject {
  count: number;
  run: JobExecution | undefined;
}

/** `Job 1 (Acme) resolved.`, `12 runs resolved.`, `Note saved for 12 runs.` */
export function doneText(subject: Subject, { state, removeNote }: Change): string {
  if (removeNote !== undefined) return `Note removed from ${nameOf(subject)}.`;
  return state === undefined ? `Note saved for ${nameOf(subject)}.` : `${nameOf(subject)} ${DONE[state]}.`;
}

/** `1 of 2 runs resolved; the others no longer exist.` */
export function partlyDoneText(count: number, of: number, { state }: Change): string {
  const part = `${formatCount(count)} of ${formatRuns(of)}`;
  const done = state === undefined ? `Note saved for ${part}` : `${part} ${DONE[state]}`;
  return `${done}; the others no longer exist.`;
}

/** `4 runs were not resolved: no connection.` */
export function notDoneText(subject: Subject, { state, removeNote }: Change, error: unknown): string {
  const what = nameOf(subject);
  const verb = subject.count === 1 ? 'was' : 'were';
  if (removeNote !== undefined) return `The note on ${what} was not removed: ${failureOf(error)}.`;
  const failed = state === undefined ? `The note for ${what} was not saved` : `${what} ${verb} not ${DONE[state]}`;
  return `${failed}: ${failureOf(error)}.`;
}

/** `Undone. Job 1 (Acme) is pending again.` */
export function undoneText(subject: Subject, before: readonly Before[], { state }: Change): string {
  const what = nameOf(subject);
  if (state === undefined) return `Undone. The note for ${what} was removed.`;
  const verb = subject.count === 1 ? 'is' : 'are';
  const states = [...new Set(before.map((run) => run.state))];
  const [only] = states;
  return `Undone. ${what} ${verb} ${states.length === 1 && only !== undefined ? `${AGAIN[only]} again` : 'as before'}.`;
}

function nameOf({ count, run }: Subject): string {
  if (run === undefined || count !== 1) return formatRuns(count);
  return nameOfJob(run);
}
