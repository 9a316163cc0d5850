import type { FaultChange } from '@keepwatch/contract/faults/faults';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { notUndoneText } from '../../entities/run-edits/edit-texts.ts';
import { sendEdit } from '../../entities/run-edits/send-edit.ts';
import { messageOf } from '../../kit/api.ts';
import { usePortal } from '../../kit/portal.tsx';
import { createMergedToast, type MergedToast } from '../../kit/toasts/merged-toast.ts';
import type { Undoable } from '../../kit/undo-stack.ts';
import { type FaultFilter, KEY } from '../faults.data.ts';
import { type Outcome, sendFaultEdit, type Target } from './fault-edit.ts';
import { doneText, missedText, notDoneText, undoneText } from './fault-edit-texts.ts';

/** A change of faults, as a person asks for it. */
export interface FaultEdit {
  target: Target;
  change: FaultChange;
  /** Whatever shows it goes back. */
  onUndone?: () => void;
}

interface Done extends Undoable, FaultEdit {
  answered: Promise<Outcome>;
}

/** What a message says of an edit: fewer faults than were asked for, where others were first. */
interface Said {
  done: Done;
  subject: Pick<Target, 'count' | 'name'>;
}

export interface FaultEdits {
  /** Gives what became of it, as soon as that is known. */
  edit: (edit: FaultEdit) => Promise<Outcome>;
  /** Undoes the last edit that has not been undone, the next time the one before it, and so on. */
  undoLast: () => void;
}

/** Changes faults, with a message that says what was done and undoes it. Causes are changed within the filter. */
export function useFaultEdits(filter: FaultFilter): FaultEdits {
  const { api, toasts, undo: stack } = usePortal();
  const queries = useQueryClient();
  const latest = useRef<{ edit: FaultEdits['edit'] } | null>(null);
  const [merged] = useState(() => new Map<string, MergedToast<Said>>());
  const settle = () => queries.invalidateQueries({ queryKey: KEY });

  const undo = async (done: Done) => {
    stack.remove(done);
    for (const toast of merged.values()) toast.removeWhere((said) => said.done === done);
    const { undoing } = await done.answered;
    const outcomes = await Promise.all(undoing.map((edit) => sendEdit(api, edit)));
    const failed = outcomes.find(({ error }) => error !== null);
    if (failed === undefined) toasts.info(undoneText(done.target, done.change, outcomes));
    else {
      toasts.error(notUndoneText(failed.error));
      stack.push(done);
    }
    // What is read of it before was settled: it is not shown again.
    queries.removeQueries({ queryKey: [...KEY, 'one'], type: 'inactive' });
    await settle();
    if (failed === undefined) done.onUndone?.();
  };

  const say = (done: Done, outcome: Outcome) => {
    const { target, change } = done;
    const { error, changed } = outcome;
    if (changed > 0) {
      const kind = change.state ?? 'note';
      const toast = merged.get(kind) ?? createDoneToast(toasts, change);
      merged.set(kind, toast);
      toast.add({ done, subject: changed === target.count ? target : { count: changed, name: null } });
    }
    const missed = missedText(outcome, change);
    if (missed !== null) toasts.info(missed);
    if (error === null) return;
    // That the session has ended is said once, by the session.
    if (error instanceof CallFailed && error.status === 401) return toasts.error(messageOf(error));
    const again = () => void latest.current?.edit({ target, change });
    toasts.error(notDoneText(target, change, error), { label: 'Retry', run: again });
  };

  const edit = async ({ target, change, onUndone }: FaultEdit): Promise<Outcome> => {
    const answered = sendFaultEdit(api, target, change, filter);
    const done: Done = {
      target,
      change,
      answered,
      ...(onUndone === undefined ? {} : { onUndone }),
      undo: () => void undo(done),
    };
    stack.push(done);
    const outcome = await answered;
    if (outcome.undoing.length === 0) stack.remove(done);
    say(done, outcome);
    void settle();
    return outcome;
  };
  useEffect(() => {
    latest.current = { edit };
  });

  const undoLast = () => {
    const last = stack.pop();
    if (last === undefined) toasts.info('Nothing to undo.');
    else last.undo();
  };
  return { edit, undoLast };
}

type Toasts = ReturnType<typeof usePortal>['toasts'];

/** What follows each other is said together: `12 faults resolved. Undo`. */
function createDoneToast(toasts: Toasts, change: FaultChange): MergedToast<Said> {
  return createMergedToast<Said>(toasts, {
    kind: 'success',
    textOf: (all) => doneText(subjectOf(all), change),
    action: {
      label: 'Undo',
      run: (all) => {
        // The newest first: an earlier one of the same fault counts as changed since until then.
        for (const { done } of all.toReversed()) done.undo();
      },
    },
  });
}

function subjectOf(all: readonly Said[]): Pick<Target, 'count' | 'name'> {
  const count = all.reduce((sum, { subject }) => sum + subject.count, 0);
  return { count, name: all.length === 1 ? (all[0]?.subject.name ?? null) : null };
}
