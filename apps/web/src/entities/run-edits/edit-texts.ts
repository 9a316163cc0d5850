import type { State } from '@keepwatch/contract/runs/values';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { messageOf } from '../../kit/api.ts';
import { formatRuns } from '../../kit/format/numbers.ts';

/** What was done, by the state that was set: `12 runs resolved.` */
export const DONE: Readonly<Record<State, string>> = {
  pending: 'reopened',
  'in-progress': 'marked in progress',
  resolved: 'resolved',
  ignored: 'ignored',
};

/** Why an edit failed, for the end of a sentence. */
export function failureOf(error: unknown): string {
  if (error instanceof CallFailed && error.status === 0) return 'no connection';
  return messageOf(error).replace(/\.$/, '');
}

/** What an undo left as it is. */
export function changedSinceText(runs: number): string {
  return `${formatRuns(runs)} ${runs === 1 ? 'was changed since and stays as it is' : 'were changed since and stay as they are'}.`;
}

export function notUndoneText(error: unknown): string {
  return `Some changes could not be undone: ${failureOf(error)}.`;
}
