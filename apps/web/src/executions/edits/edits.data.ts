import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { changedSinceText, notUndoneText } from '../../entities/run-edits/edit-texts.ts';
import { type Outcome, sendEdit } from '../../entities/run-edits/send-edit.ts';
import { type Before, type Edit, isUndoable, undoEdits } from '../../entities/run-edits/undo.ts';
import { changeRows } from '../../kit/data-table/change-rows.ts';
import { usePortal } from '../../kit/portal.tsx';
import { type ExecutionSort, KEY, listKey, PAGE_ROWS } from '../daily-checks.data.ts';
import type { RunQuery } from '../filters.ts';
import { createEditToasts, type Done } from './edit-toasts.ts';
import { type ChangesInFlight, rowAfter, useEditsInFlight } from './edits-in-flight.ts';

interface Answered {
  outcome: Outcome;
  /** The list and the open run have been read again. */
  settled: Promise<void>;
}

/** `run` is the one that is changed, where it is one: its message names it. Gives what became of it, as soon as that is known. */
export type EditExecutions = (edit: Edit, run?: JobExecution) => Promise<Answered>;

export interface Edits {
  edit: EditExecutions;
  /** Undoes the last edit that has not been undone, the next time the one before it, and so on. */
  undoLast: () => void;
  /** Not answered yet; the list shows them already. */
  inFlight: ChangesInFlight;
  /** Whether the run was changed from here: what became of it is no news. */
  isOwn: (id: string) => boolean;
}

/** Changes runs: at once in the list, with a message that says what was done and undoes it. */
export function useEditExecutions(runQuery: RunQuery, sort: ExecutionSort): Edits {
  const { toasts, undo: stack } = usePortal();
  const { inFlight, fresh, make } = useMaking(runQuery, sort);
  const own = useRef(new Set<string>());
  const isOwn = useCallback((id: string) => own.current.has(id), []);
  const latest = useRef<{ edit: EditExecutions; undoAll: (dones: readonly Done[]) => Promise<void> } | null>(null);
  const [messages] = useState(() =>
    createEditToasts(toasts, {
      undo: (dones) => void latest.current?.undoAll(dones),
      retry: (failed) => {
        for (const { edit: again, run } of failed) void latest.current?.edit(again, run);
      },
    }),
  );
  const sayUndone = (dones: readonly Done[], before: readonly Before[], undone: readonly Outcome[]) => {
    const since = new Set(undone.flatMap(({ changedSince }) => changedSince));
    const asBefore = before.filter(({ _id }) => !since.has(_id));
    if (asBefore.length > 0) messages.sayUndone(dones, asBefore);
    if (since.size > 0) toasts.info(changedSinceText(since.size));
  };
  const undoAll = async (dones: readonly Done[]) => {
    for (const done of dones) stack.remove(done);
    messages.forget(dones);
    const outcomes = await Promise.all(dones.map(({ answered }) => answered));
    // The newest first: an earlier one of the same run counts as changed since until then.
    const before = outcomes.toReversed().flatMap((outcome) => outcome.before);
    const [first] = dones;
    if (first === undefined || before.length === 0) return;
    const makings = undoEdits(before, first.edit.change).map(make);
    const undone = await Promise.all(makings.map(({ answered }) => answered));
    const failed = undone.find(({ error }) => error !== null);
    if (failed === undefined) return sayUndone(dones, before, undone);
    toasts.error(notUndoneText(failed.error));
    for (const done of dones) stack.push(done);
  };
  const edit: EditExecutions = async (asked, run) => {
    const { ids, earlier } = fresh(asked);
    if (ids.length === 0 && earlier !== undefined) return { outcome: await earlier, settled: Promise.resolve() };
    for (const id of ids) own.current.add(id);
    const sent = { ids, change: asked.change };
    const { answered, settled } = make(sent);
    const done: Done = { edit: sent, run, answered, undo: () => void latest.current?.undoAll([done]) };
    if (isUndoable(sent.change)) stack.push(done);
    const outcome = await answered;
    if (outcome.before.length === 0) stack.remove(done);
    messages.say(done, outcome);
    return { outcome, settled };
  };
  useEffect(() => {
    latest.current = { edit, undoAll };
  });
  const undoLast = () => {
    const last = stack.pop();
    if (last === undefined) toasts.info('Nothing to undo.');
    else last.undo();
  };
  return { edit, undoLast, inFlight, isOwn };
}

/** Sends edits. The list shows them from then on: as they are on their way, and as they are done once they were answered. */
function useMaking(runQuery: RunQuery, sort: ExecutionSort) {
  const { api } = usePortal();
  const queries = useQueryClient();
  const { changes, fresh, send, end } = useEditsInFlight();
  const showDone = ({ before }: Outcome, { change }: Edit) => {
    const ids = new Set(before.map((run) => run._id));
    changeRows<JobExecution>(queries, listKey(runQuery, sort), PAGE_ROWS, (run) =>
      ids.has(run._id) ? rowAfter(run, change, runQuery) : run,
    );
  };
  const make = (edit: Edit) => {
    const answered = send(edit, () => sendEdit(api, edit));
    const settled = answered.then((outcome) => {
      showDone(outcome, edit);
      end(edit);
      return queries.invalidateQueries({ queryKey: KEY });
    });
    return { answered, settled };
  };
  return { inFlight: changes, fresh, make };
}
