import type { ChangedSpan, JobExecutionChange, Undoing } from '@keepwatch/contract/executions/job-executions';
import type { State } from '@keepwatch/contract/runs/values';

/** What runs were before a change, as the server answers it. */
interface EarlierState {
  state: State;
  ignoredUntil: string | null;
  changedById: string | null;
  changedAt: string | null;
}

/** What a run was before a change. */
export interface Before extends EarlierState {
  _id: string;
  /** When the change was made. */
  madeAt: string;
  /** The note that it has got by the change. */
  noteId: string | null;
}

export interface Edit {
  ids: string[];
  /** Besides, of an undo: the runs of these jobs that the change made different. */
  spans?: readonly ChangedSpan[];
  change: JobExecutionChange;
  /** The change that this one undoes. */
  undoes?: Undoing;
}

/** A note that its author removed is gone. */
export function isUndoable({ removeNote }: JobExecutionChange): boolean {
  return removeNote === undefined;
}

/**
 * The changes that undo `change`: runs that were alike go together. Only what was changed is set again; of the notes, the
 * one that was added is removed.
 */
export function undoEdits(before: readonly Before[], change: JobExecutionChange): Edit[] {
  const edits = new Map<string, Edit>();
  for (const run of before)
    for (const back of changesBack(run, change)) {
      const key = JSON.stringify(back);
      const edit = edits.get(key) ?? { ids: [], ...back };
      edit.ids.push(run._id);
      edits.set(key, edit);
    }
  return [...edits.values()];
}

/** The note goes on its own: it goes from runs, too, that others gave another state since. */
function changesBack({ madeAt, noteId, ...earlier }: Before, { state }: JobExecutionChange): Omit<Edit, 'ids'>[] {
  const ofState = state === undefined ? [] : [stateBack(earlier, madeAt)];
  return noteId === null ? ofState : [...ofState, { change: { removeNote: noteId } }];
}

/** Gives runs back the state that they had, and whom it was by, unless they were changed again since. */
export function stateBack(
  { state, ignoredUntil, changedById, changedAt }: EarlierState,
  madeAt: string,
): Required<Pick<Edit, 'change' | 'undoes'>> {
  const until = state !== 'ignored' || ignoredUntil === null ? {} : { ignoredUntil };
  return { change: { state, ...until }, undoes: { madeAt, changedById, changedAt } };
}
