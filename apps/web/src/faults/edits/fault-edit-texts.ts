import type { FaultChange } from '@keepwatch/contract/faults/faults';
import { changedSinceText, DONE, failureOf } from '../../entities/run-edits/edit-texts.ts';
import type { Outcome as RunOutcome } from '../../entities/run-edits/send-edit.ts';
import { formatCounted, formatRuns } from '../../kit/format/numbers.ts';
import type { Outcome, Target } from './fault-edit.ts';

type Subject = Pick<Target, 'count' | 'name'>;

/** `Job 1 (Acme) resolved.`, `14 faults resolved.`, `Note saved for 14 faults.` */
export function doneText(subject: Subject, { state }: FaultChange): string {
  return state === undefined ? `Note saved for ${nameOf(subject)}.` : `${nameOf(subject)} ${DONE[state]}.`;
}

/** `14 faults were not resolved: no connection.` */
export function notDoneText(subject: Subject, { state }: FaultChange, error: unknown): string {
  const what = nameOf(subject);
  if (state === undefined) return `The note for ${what} was not saved: ${failureOf(error)}.`;
  return `${what} ${subject.count === 1 ? 'was' : 'were'} not ${DONE[state]}: ${failureOf(error)}.`;
}

/** What a change did not reach because others were first or have it, or because it is gone; `null`: nothing. */
export function missedText({ unchanged, notFound, ofOthers }: Outcome, { state, note }: FaultChange): string | null {
  const parts: string[] = [];
  if (notFound > 0) parts.push(`${faults(notFound)} no longer ${notFound === 1 ? 'exists' : 'exist'}.`);
  if (unchanged > 0 && state !== undefined) {
    const were = `${faults(unchanged)} ${unchanged === 1 ? 'was' : 'were'} ${DONE[state]} already.`;
    parts.push(note === undefined ? were : `${were} The note was not added there.`);
  }
  for (const { username, faults: count } of ofOthers)
    parts.push(
      `${faults(count)} ${count === 1 ? 'is' : 'are'} with ${username}, and ${count === 1 ? 'was' : 'were'} left out.`,
    );
  return parts.length === 0 ? null : parts.join(' ');
}

export function undoneText(subject: Subject, { state }: FaultChange, undone: readonly RunOutcome[]): string {
  const changedSince = undone.reduce((sum, { runsChangedSince }) => sum + runsChangedSince, 0);
  if (changedSince > 0 && undone.every(({ updated }) => updated === 0))
    return `Not undone: ${changedSinceText(changedSince)}`;
  if (changedSince > 0)
    return `Undone, except for ${formatRuns(changedSince)} that ${changedSince === 1 ? 'was' : 'were'} changed since.`;
  if (state === undefined) return `Undone. The note for ${nameOf(subject)} was removed.`;
  return `Undone. ${nameOf(subject)} ${subject.count === 1 ? 'is' : 'are'} as before.`;
}

function nameOf({ count, name }: Subject): string {
  return name ?? faults(count);
}

/** `1 fault`, `1,234 faults`. */
function faults(count: number): string {
  return formatCounted(count, 'fault', 'faults');
}
