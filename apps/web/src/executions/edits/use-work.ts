import type { JobExecution, JobExecutionChange } from '@keepwatch/contract/executions/job-executions';
import { type RefObject, useCallback, useRef } from 'react';
import { isWhole } from '../../entities/run-edits/send-edit.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import type { Selection } from '../../kit/data-table/selection.ts';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import { belongs, type RunQuery } from '../filters.ts';
import { focusTable, type OpenRun } from '../run/use-open-run.ts';
import type { Edits } from './edits.data.ts';

interface WorkOptions {
  pages: Pages<JobExecution>;
  runQuery: RunQuery;
  selection: Selection;
  opened: OpenRun;
  edits: Edits;
  canEdit: boolean;
  listRef: RefObject<HTMLElement | null>;
}

/**
 * Working down the list. What a key or a button changes is the open run, else the chosen ones, else the active one; the
 * next run moves up when one leaves the list, so that the hands stay where they are.
 */
export function useWork({ runQuery, selection, opened, edits, canEdit, listRef }: WorkOptions) {
  const { edit, undoLast } = edits;
  const active = useRef<JobExecution | undefined>(undefined);
  const setActive = useCallback((run: JobExecution | undefined) => {
    active.current = run;
  }, []);
  const editOpen = async (change: JobExecutionChange): Promise<boolean> => {
    if (opened.id === null) return false;
    const isLeaving = change.state !== undefined && !belongs(change.state, runQuery);
    if (isLeaving && opened.row !== undefined) goOn(opened);
    const { outcome, settled } = await edit({ ids: [opened.id], change }, opened.row);
    await settled;
    return isWhole(outcome);
  };
  const editChosen = async (change: JobExecutionChange) => {
    focusTable(listRef);
    selection.clear();
    const { outcome } = await edit({ ids: [...selection.ids], change });
    if (outcome.failedIds.length > 0) selection.restore(outcome.failedIds);
  };
  const editByKey = (change: JobExecutionChange) => {
    if (opened.id !== null) return void editOpen(change);
    if (selection.ids.size === 0) {
      if (active.current !== undefined) void edit({ ids: [active.current._id], change }, active.current);
      return;
    }
    void editChosen(change);
  };
  useShortcut('r', 'Resolve', () => editByKey({ state: 'resolved' }), !canEdit);
  useShortcut('p', 'In progress', () => editByKey({ state: 'in-progress' }), !canEdit);
  useShortcut('z', 'Undo the last change', undoLast, !canEdit);
  return { setActive, editOpen, editChosen };
}

function goOn({ next, open, close }: OpenRun): void {
  if (next === undefined) close();
  else open(next._id);
}
