import type { JobExecutionChange } from '@keepwatch/contract/executions/job-executions';
import type { State } from '@keepwatch/contract/runs/values';

/** What a run was before a change, as the server answers it. */
export interface Before {
  _id: string;
  state: State;
  ignoredUntil: string | null;
  /** The note that it has got by the change. */
  noteId: string | null;
}

export interface Edit {
  ids: string[];
  change: JobExecutionChange;
}

/** A note that its author removed is gone. */
export function isUndoable({ removeNote }: JobExecutionChange): boolean {
  return removeNote === undefined;
}

/** What each run was before the first of several changes; of notes, each that was added to it. */
export function firstOfEach(before: readonly Before[]): Before[] {
  const first = new Map<string, Before>();
  for (const run of before) {
    const key = `${run._id} ${run.noteId}`;
    if (!first.has(key)) first.set(key, run);
  }
  return [...first.values()];
}

/**
 * The changes that undo `change`: runs that were alike go together. Only what was changed is set again; of the notes, the
 * one that was added is removed.
 */
export function undoEdits(before: readonly Before[], change: JobExecutionChange): Edit[] {
  const edits = new Map<string, Edit>();
  for (const run of before) {
    const back = changeBack(run, change);
    const key = JSON.stringify(back);
    const edit = edits.get(key) ?? { ids: [], change: back };
    edit.ids.push(run._id);
    edits.set(key, edit);
  }
  return [...edits.values()];
}

function changeBack({ state, ignoredUntil, noteId }: Before, change: JobExecutionChange): JobExecutionChange {
  return {
    ...(change.state === undefined ? {} : { state }),
    ...(change.state === undefined || state !== 'ignored' || ignoredUntil === null ? {} : { ignoredUntil }),
    ...(noteId === null ? {} : { removeNote: noteId }),
  };
}
