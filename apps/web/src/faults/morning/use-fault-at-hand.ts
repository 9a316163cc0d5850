import type { Fault, FaultChange } from '@keepwatch/contract/faults/faults';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { useState } from 'react';
import { useAllows, useUser } from '../../kit/portal.tsx';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import { useFault } from '../faults.data.ts';
import type { Deed } from './session.ts';
import { settledText } from './settled.ts';
import type { Deeds } from './use-deeds.ts';
import type { Morning } from './use-morning.ts';

const GONE = 'This fault no longer exists: its job was removed, or its runs are counted otherwise now.';

interface AtHand {
  id: string;
  /** All of its cause is meant at first. */
  isAllChosen: boolean;
  morning: Morning;
  deeds: Deeds;
}

/** The fault that is shown, what happened to it meanwhile, and what can be done with it. */
export function useFaultAtHand({ id, isAllChosen, morning, deeds: { act, guard, edits } }: AtHand) {
  const { data, error, refetch } = useFault(id);
  const canEdit = useAllows('monitoring.job-actions');
  const [isAll, setAll] = useState(isAllChosen);
  const detail = data?.data ?? null;
  const fault = detail ?? morning.faults.find(({ _id }) => _id === id);
  const sharing = fault === undefined ? [] : morning.sharing(fault);
  const withOthers = fault === undefined ? null : morning.withOthers(fault);
  const settled = useSettled(detail, { isDecided: morning.deeds.has(id), isChosen: morning.isChosen });
  const isGone = error instanceof CallFailed && error.status === 404;
  const notice = isGone ? GONE : settled;
  const leaveBehind = () => {
    guard.start();
    morning.leave(fault ?? { _id: id });
  };
  const decide = (deed: Deed, change: FaultChange, isForAll = isAll) => {
    if (notice !== null) return leaveBehind();
    if (fault !== undefined) void act(deed, isForAll ? sharing : [fault], change);
  };
  const actions = {
    resolve: (isForAll?: boolean) => decide('resolved', { state: 'resolved' }, isForAll),
    putInProgress: (isForAll?: boolean) => decide('in-progress', { state: 'in-progress' }, isForAll),
    ignore: (until: string | null) =>
      decide('ignored', { state: 'ignored', ...(until === null ? {} : { ignoredUntil: until }) }),
    note: (content: string) => decide('noted', { note: { content } }),
    skip: () => {
      if (notice !== null) return leaveBehind();
      if (morning.deeds.has(id)) return morning.goOn();
      morning.decide('skipped', [fault ?? { _id: id }]);
    },
    back: morning.back,
    undo: edits.undoLast,
  };
  useKeys(actions, canEdit);
  useShortcut('a', 'All of this cause, or this one alone', () => setAll(!isAll), !canEdit || sharing.length < 2);
  return {
    fault,
    detail,
    failure: fault === undefined && !isGone ? error : null,
    retry: () => void refetch(),
    notice,
    leaveBehind,
    sharing,
    withOthers,
    isAll,
    setAll,
    canEdit,
    actions,
  };
}

export type FaultActions = ReturnType<typeof useFaultAtHand>['actions'];

function useKeys({ resolve, putInProgress, skip, back, undo }: FaultActions, canEdit: boolean): void {
  useShortcut('r', 'Resolve and go on', () => resolve(), !canEdit);
  useShortcut('R', 'Resolve all of this cause', () => resolve(true), !canEdit);
  useShortcut('p', 'In progress, by you, and go on', () => putInProgress(), !canEdit);
  useShortcut('P', 'All of this cause in progress', () => putInProgress(true), !canEdit);
  useShortcut('j', 'Skip', skip);
  useShortcut('ArrowRight', 'Skip', skip);
  useShortcut('k', 'Back', back);
  useShortcut('ArrowLeft', 'Back', back);
  useShortcut('z', 'Undo the last change', undo, !canEdit);
}

/**
 * What others made of the fault while it is shown; `null` where it is still to be decided. One that was asked for is shown as it is, also where
 * it was settled before.
 */
function useSettled(
  fault: Fault | null,
  { isDecided, isChosen }: { isDecided: boolean; isChosen: boolean },
): string | null {
  const { username } = useUser();
  const [wasOpen, setWasOpen] = useState(false);
  const text = fault === null ? null : settledText(fault, username);
  if (fault !== null && text === null && !wasOpen) setWasOpen(true);
  if (text === null || isDecided) return null;
  return isChosen && !wasOpen ? null : text;
}
