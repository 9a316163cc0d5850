import type { JobExecutionChange } from '@keepwatch/contract/monitoring/job-executions';
import type { State } from '@keepwatch/contract/monitoring/values';

/** What a run was before a change, as the server answers it. */
export interface Before {
  _id: string;
  state: State;
  ignoredUntil: string | null;
  note: string | null;
}

export interface Edit {
  ids: string[];
  change: JobExecutionChange;
}

/** What each run was before the first of several changes. */
export function firstOfEach(before: readonly Before[]): Before[] {
  const byId = new Map<string, Before>();
  for (const run of before) if (!byId.has(run._id)) byId.set(run._id, run);
  return [...byId.values()];
}

/**
 * The changes that take `change` back: runs that were alike go together. Only what was changed is set again, so that a
 * note written since is not lost.
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

function changeBack({ state, ignoredUntil, note }: Before, change: JobExecutionChange): JobExecutionChange {
  return {
    ...(change.state === undefined ? {} : { state }),
    ...(change.state === undefined || state !== 'ignored' || ignoredUntil === null ? {} : { ignoredUntil }),
    ...(change.note === undefined ? {} : { note: { content: note ?? '' } }),
  };
}
