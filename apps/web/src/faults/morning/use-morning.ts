import type { Fault } from '@keepwatch/contract/faults/faults';
import type { FaultViewer } from '@keepwatch/contract/faults/viewers';
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from 'react';
import { nameOfJob } from '../../entities/job-name.ts';
import { useAllows, useClock, useToasts, useUser } from '../../kit/portal.tsx';
import { type QueueQuery, useFaultViewers, usePrefetchFault } from '../faults.data.ts';
import { candidatesOf, followingIn, otherOf, sharingCause, withOthersText } from './candidates.ts';
import { decisionsOf } from './decisions.ts';
import { type OpenFaults, useOpenFaults } from './open-faults.data.ts';
import { activeDeeds, beginSession, currentOf, goTo, laterOf, type Session } from './session.ts';
import type { Guard } from './use-guard.ts';
import { useViewing } from './viewing.data.ts';

const NONE: readonly never[] = [];
const UNREAD: OpenFaults = { askedAt: 0, faults: NONE, unread: 0 };

export type Morning = ReturnType<typeof useMorning>;

/** One person's way through the open faults, beside what all others do to them. */
export function useMorning(query: QueueQuery, chosenId: string | null, guard: Guard) {
  const clock = useClock();
  const nowMs = () => clock.now().getTime();
  const { username } = useUser();
  const toasts = useToasts();
  const canEdit = useAllows('monitoring.job-actions');
  const { data, error, refetch } = useOpenFaults(query);
  const viewers = useFaultViewers();
  const [session, setSession] = useState<Session>(() => beginSession(nowMs(), chosenId));
  const [passed, pass] = usePassed(viewers);
  const currentId = currentOf(session);
  const read = data ?? UNREAD;
  const { faults, unread } = read;
  const deeds = useMemo(() => activeDeeds(session, read), [session, read]);
  const around = { username, viewers: viewers ?? NONE, deeds };
  const candidates = candidatesOf(faults, around).filter(({ _id }) => !passed.has(_id));
  const isRead = data !== undefined && viewers !== undefined;

  const next = (after: Session, without: ReadonlySet<string> = passed): Session => {
    const decided = activeDeeds(after, read);
    const later = laterOf(after);
    if (later !== null && !decided.has(later)) return goTo(after, later, nowMs());
    const left = candidatesOf(faults, { ...around, deeds: decided }).filter(({ _id }) => !without.has(_id));
    const following = followingIn(faults, currentId, left);
    return goTo(after, following?._id ?? null, nowMs());
  };

  // At the beginning, and when at the end something comes up: a new fault, one that comes back, or one that another person has left.
  const firstId = currentId === null && isRead ? candidates[0]?._id : undefined;
  useBegin(firstId, setSession);

  // One that another person opened first is passed over, unless it was asked for; it comes again once they have left it.
  useViewing(canEdit ? currentId : null, (id, other) => {
    if (id === chosenId) return;
    guard.start();
    toasts.info(`${other} has ${nameIn(faults, id)} open.`);
    const without = pass(id);
    setSession((before) => (currentOf(before) === id ? next(before, without) : before));
  });
  usePrefetched(followingIn(faults, currentId, candidates)?._id);
  return {
    session,
    deeds,
    faults,
    /** Open faults that were not read: they are too many. */
    unread,
    currentId,
    isChosen: currentId === chosenId,
    isRead,
    error,
    retry: () => void refetch(),
    /** Still to be decided, with the present one. */
    left: leftOf(candidates, currentId, deeds),
    decided: deeds.size,
    /** Another person who has the present fault open. */
    viewer: viewers?.find(({ faultId, isSelf }) => faultId === currentId && !isSelf)?.username ?? null,
    /** What other people have open or in progress. */
    ofOthers: faults.filter((fault) => !deeds.has(fault._id) && otherOf(fault, around) !== null),
    sharing: (fault: Fault) => sharingCause(faults, fault, around),
    /** The others of its cause that other people work on, in words. */
    withOthers: (fault: Fault) => withOthersText(faults, fault, around),
    ...decisionsOf({ setSession, next, nowMs }),
  };
}

/** Shows this fault where none is shown. */
function useBegin(id: string | undefined, setSession: Dispatch<SetStateAction<Session>>): void {
  const clock = useClock();
  useEffect(() => {
    if (id === undefined) return;
    setSession((before) => (currentOf(before) === null ? goTo(before, id, clock.now().getTime()) : before));
  }, [id, setSession, clock]);
}

/** How many are to be decided, with the present one, which may have been asked for although another person works on it. */
function leftOf(candidates: readonly Fault[], currentId: string | null, deeds: ReadonlyMap<string, unknown>): number {
  const isCounted = currentId === null || deeds.has(currentId) || candidates.some(({ _id }) => _id === currentId);
  return candidates.length + (isCounted ? 0 : 1);
}

function nameIn(faults: readonly Fault[], id: string): string {
  const fault = faults.find(({ _id }) => _id === id);
  return fault === undefined ? 'this fault' : nameOfJob(fault);
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
