import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { CallFailed } from '@keepwatch/contract/wire/client';
import type { Outcome } from '../../entities/run-edits/send-edit.ts';
import { type Before, type Edit, isUndoable } from '../../entities/run-edits/undo.ts';
import { messageOf } from '../../kit/api.ts';
import { createMergedToast, type MergedToast } from '../../kit/toasts/merged-toast.ts';
import type { ToastStore } from '../../kit/toasts/toast-store.ts';
import type { Undoable } from '../../kit/undo-stack.ts';
import { doneText, notDoneText, partlyDoneText, type Subject, undoneText } from './edit-texts.ts';

/** An edit that was made: what it was, and what became of it. */
export interface Done extends Undoable {
  edit: Edit;
  /** The one that was changed, where it was one. */
  run: JobExecution | undefined;
  answered: Promise<Outcome>;
}

interface Changed {
  done: Done;
  before: readonly Before[];
}

interface Actions {
  undo: (dones: readonly Done[]) => void;
  retry: (failed: readonly Done[]) => void;
}

export interface EditToasts {
  /** Says what was done, and what was not and why. */
  say(done: Done, outcome: Outcome): void;
  sayUndone(dones: readonly Done[], before: readonly Before[]): void;
  /** These are undone: no message offers that again. */
  forget(dones: readonly Done[]): void;
}

type Change = Edit['change'];

/** What is said of edits. What follows each other is said together: a click undoes all of it, or tries all of it again. */
export function createEditToasts(toasts: ToastStore, actions: Actions): EditToasts {
  const done = new Map<string, MergedToast<Changed>>();
  const failed = new Map<string, MergedToast<Done>>();
  const undone = new Map<string, MergedToast<Changed>>();
  const sayFailed = (it: Done, { failedIds, error }: Outcome) => {
    const { change } = it.edit;
    const text = (all: readonly Done[]) => notDoneText(subjectOf(all), change, error);
    const again = { label: 'Retry', run: actions.retry };
    mergedIn(failed, `${kindOf(change)} ${messageOf(error)}`, () =>
      createMergedToast(toasts, { kind: 'error', textOf: text, action: again }),
    ).add({ ...it, edit: { ids: failedIds, change } });
  };
  return {
    say(it, outcome) {
      const { change } = it.edit;
      const { before, notFound, error } = outcome;
      if (error === null && notFound > 0) {
        toasts.error(partlyDoneText(before.length, it.edit.ids.length, change), { label: 'Undo', run: it.undo });
        return;
      }
      const text = (all: readonly Changed[]) => doneText(subjectOfChanged(all), change);
      const undo = { label: 'Undo', run: (all: readonly Changed[]) => actions.undo(all.map((one) => one.done)) };
      const action = isUndoable(change) ? { action: undo } : {};
      const merged = () => createMergedToast<Changed>(toasts, { kind: 'success', textOf: text, ...action });
      if (before.length > 0) mergedIn(done, kindOf(change), merged).add({ done: it, before });
      // That the session has ended is said once, by the session.
      if (isExpired(error)) toasts.error(messageOf(error));
      else if (error !== null) sayFailed(it, outcome);
    },
    sayUndone(dones, before) {
      const [first] = dones;
      if (first === undefined) return;
      const { change } = first.edit;
      const text = (all: readonly Changed[]) =>
        undoneText(
          subjectOfChanged(all),
          all.flatMap((one) => one.before),
          change,
        );
      const merged = () => createMergedToast<Changed>(toasts, { kind: 'info', textOf: text });
      const run = dones.length === 1 ? first.run : undefined;
      mergedIn(undone, kindOf(change), merged).add({ done: { ...first, run }, before });
    },
    forget(dones) {
      for (const merged of done.values()) merged.removeWhere((one) => dones.includes(one.done));
    },
  };
}

function kindOf({ state, removeNote }: Change): string {
  return state ?? (removeNote === undefined ? 'note' : 'removed note');
}

function mergedIn<Item>(known: Map<string, MergedToast<Item>>, key: string, make: () => MergedToast<Item>) {
  const merged = known.get(key) ?? make();
  known.set(key, merged);
  return merged;
}

function isExpired(error: unknown): boolean {
  return error instanceof CallFailed && error.status === 401;
}

function subjectOf(all: readonly Done[]): Subject {
  const ids = new Set(all.flatMap(({ edit }) => edit.ids));
  return { count: ids.size, run: all[0]?.run };
}

function subjectOfChanged(all: readonly Changed[]): Subject {
  const ids = new Set(all.flatMap(({ before }) => before.map((run) => run._id)));
  return { count: ids.size, run: all[0]?.done.run };
}
