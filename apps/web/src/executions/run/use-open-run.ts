import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';
import { textField, useUrlState } from '../../kit/address/url-state.ts';
import { indexOf, type Pages } from '../../kit/data-table/pages.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { usePrefetchExecution } from '../daily-checks.data.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A run is open, and right before it in the history the same list without it. */
    isRunOverList?: boolean;
  }
}

const FIELDS = { execution: textField() };

export type OpenRun = ReturnType<typeof useOpenRun>;

/** The run that is open beside the list. It is in the address; going back in the history closes it. */
export function useOpenRun(pages: Pages<JobExecution>, listRef: RefObject<HTMLElement | null>) {
  const [{ execution }, setAddress] = useUrlState(FIELDS);
  const id = execution === '' ? null : execution;
  const index = id === null ? null : indexOf(pages, (run) => run._id, id);
  const neighbour = (step: 1 | -1) => (index === null ? undefined : pages.rowAt(index + step));
  const open = (next: string) =>
    setAddress({ execution: next }, id === null ? { push: true, state: { isRunOverList: true } } : { state: true });
  const goBack = useWayBack(id);
  usePrefetched(neighbour(1)?._id);
  useFocusAfter(id !== null, listRef);
  return {
    id,
    row: index === null ? undefined : pages.rowAt(index),
    place: index === null ? '' : `${formatCount(index + 1)} of ${formatCount(pages.count ?? 0)}`,
    open,
    /** The run after this one, or the one before it where this is the last. */
    next: neighbour(1) ?? neighbour(-1),
    move: (step: 1 | -1) => {
      const run = neighbour(step);
      if (run !== undefined) open(run._id);
    },
    close: () => {
      if (!goBack()) setAddress({ execution: '' });
      focusTable(listRef);
    },
  };
}

/**
 * Goes back to the list from which a run was opened, so that closing it leaves nothing to go back through; gives whether there is
 * such an entry: none where a link led to the run, or another list was asked for beside it. Once for each time a run is open: a
 * second press must not leave the list.
 */
function useWayBack(id: string | null): () => boolean {
  const { history } = useRouter();
  const isGoing = useRef(false);
  useEffect(() => {
    if (id === null) isGoing.current = false;
  }, [id]);
  return () => {
    if (history.location.state.isRunOverList !== true) return false;
    if (!isGoing.current) history.back();
    isGoing.current = true;
    return true;
  };
}

/** Gives the keyboard back to the list, whose active row is still where it was. */
export function focusTable(listRef: RefObject<HTMLElement | null>): void {
  listRef.current?.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
}

/** However the run was closed, also by going back, the keyboard continues in the list and not at the start of the page. */
function useFocusAfter(isOpen: boolean, listRef: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) focusTable(listRef);
    wasOpen.current = isOpen;
  }, [isOpen, listRef]);
}

function usePrefetched(id: string | undefined): void {
  const prefetch = usePrefetchExecution();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each run
  useEffect(() => {
    if (id !== undefined) prefetch(id);
  }, [id]);
}
