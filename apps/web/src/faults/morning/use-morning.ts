import { type Fault, listFaults } from '@keepwatch/contract/faults/faults';
import type { FaultViewer } from '@keepwatch/contract/faults/viewers';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLive } from '../../kit/live/use-live.ts';
import { useAllows, useApi, useClock, useUser } from '../../kit/portal.tsx';
import { KEY, type QueueQuery, useFaultViewers, usePrefetchFault } from '../faults.data.ts';
import { candidatesOf, followingIn, inOrderOfCauses, isOfAnother } from './candidates.ts';
import {
  beginSession,
  currentOf,
  type Deed,
  decide,
  deedsOf,
  goBack,
  goTo,
  laterOf,
  type Session,
  withoutDeeds,
  withoutSkipped,
} from './session.ts';
import { useViewing } from './viewing.data.ts';

/** More are read as these are decided. */
const FAULTS_MAX = 500;
const NONE: readonly never[] = [];

function useOpenFaults({ filter, sort, isSingle }: QueueQuery) {
  const api = useApi();
  const order = sort === 'none' ? {} : { sort };
  const queryKey = [...KEY, 'morning', filter, sort];
  useLive('executions.changed', queryKey);
  useLive('executions.changed', [...KEY, 'one']);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api.request(listFaults, { query: { limit: FAULTS_MAX, filter, ...order } }, signal),
    select: ({ data }) => (isSingle ? data : inOrderOfCauses(data, sort)),
  });
}

export type Morning = ReturnType<typeof useMorning>;

/** One person's way through the open faults, beside what all others do to them. */
export function useMorning(query: QueueQuery, chosenId: string | null) {
  const clock = useClock();
  const nowMs = () => clock.now().getTime();
  const { username } = useUser();
  const canEdit = useAllows('monitoring.job-actions');
  const { data, error, refetch } = useOpenFaults(query);
  const viewers = useFaultViewers();
  const [session, setSession] = useState<Session>(() => beginSession(nowMs(), chosenId));
  const [passed, pass] = usePassed(viewers);
  const currentId = currentOf(session);
  const deeds = useMemo(() => deedsOf(session), [session]);
  const faults: readonly Fault[] = data ?? NONE;
  const around = { username, viewers: viewers ?? NONE, deeds };
  const candidates = candidatesOf(faults, around).filter(({ _id }) => !passed.has(_id));
  const isRead = data !== undefined && viewers !== undefined;

  const next = (after: Session, without: ReadonlySet<string> = passed): Session => {
    const decided = deedsOf(after);
    const later = laterOf(after);
    if (later !== null && !decided.has(later)) return goTo(after, later, nowMs());
    const left = candidatesOf(faults, { ...around, deeds: decided }).filter(({ _id }) => !without.has(_id));
    const following = followingIn(faults, currentId, left);
    return goTo(after, following?._id ?? null, nowMs());
  };

  // At the beginning, and when at the end something comes up: a new fault, or one that another person has left.
  const [first] = candidates;
  useEffect(() => {
    if (currentId === null && isRead && first !== undefined)
      setSession((before) => (currentOf(before) === null ? goTo(before, first._id, clock.now().getTime()) : before));
  }, [currentId, isRead, first, clock]);

  // One that another person opened first is passed over, unless it was asked for; it comes again once they have left it.
  useViewing(canEdit ? currentId : null, (id) => {
    if (id === chosenId) return;
    const without = pass(id);
    setSession((before) => (currentOf(before) === id ? next(before, without) : before));
  });
  usePrefetched(followingIn(faults, currentId, candidates)?._id);
  const isCounted = currentId === null || deeds.has(currentId) || candidates.some(({ _id }) => _id === currentId);
  return {
    session,
    deeds,
    faults,
    currentId,
    isChosen: currentId === chosenId,
    isRead,
    error,
    retry: () => void refetch(),
    /** Still to be decided, with the present one. */
    left: candidates.length + (isCounted ? 0 : 1),
    decided: deeds.size,
    /** Another person who has the present fault open. */
    viewer: viewers?.find(({ faultId, isSelf }) => faultId === currentId && !isSelf)?.username ?? null,
    /** What other people have open or in progress. */
    ofOthers: faults.filter((fault) => !deeds.has(fault._id) && isOfAnother(fault, around)),
    decide: (deed: Deed, ids: readonly string[]) => setSession((before) => next(decide(before, deed, ids, nowMs()))),
    /** A decision that did not come about: its faults come again. */
    takeBack: (ids: readonly string[]) => setSession((before) => withoutDeeds(before, ids)),
    /** A decision that was undone: its first fault is shown again. */
    reopen: (ids: readonly string[]) =>
      setSession((before) => goTo(withoutDeeds(before, ids), ids[0] ?? null, nowMs())),
    back: () => setSession((before) => goBack(before, nowMs())),
    again: () => setSession(withoutSkipped),
  };
}

/** Faults that were passed over, until those who have them open leave them; and how one more is. */
function usePassed(viewers: readonly FaultViewer[] | undefined) {
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isOpen = (id: string) => viewers?.some(({ faultId, isSelf }) => faultId === id && !isSelf) ?? true;
    setPassed((before) => {
      const after = new Set([...before].filter(isOpen));
      return after.size === before.size ? before : after;
    });
  }, [viewers]);
  const pass = (id: string): ReadonlySet<string> => {
    const after = new Set([...passed, id]);
    setPassed(after);
    return after;
  };
  return [passed, pass] as const;
}

function usePrefetched(id: string | undefined): void {
  const prefetch = useRef(usePrefetchFault());
  useEffect(() => {
    if (id !== undefined) prefetch.current(id);
  }, [id]);
}
