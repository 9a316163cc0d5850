import type { Fault } from '@keepwatch/contract/faults/faults';
import type { FaultViewer } from '@keepwatch/contract/faults/viewers';
import type { Deed } from './session.ts';

interface Around {
  /** The name of the person whose morning it is. */
  username: string;
  viewers: readonly FaultViewer[];
  deeds: ReadonlyMap<string, Deed>;
}

/** Whether another person works on a fault: it is in progress by them, or they have it open. */
export function isOfAnother({ _id, state, changedBy }: Fault, { username, viewers }: Omit<Around, 'deeds'>): boolean {
  if (state === 'in-progress' && changedBy !== username) return true;
  return viewers.some(({ faultId, isSelf }) => faultId === _id && !isSelf);
}

/** What is still to be decided, in the order of the queue: neither decided already nor worked on by another person. */
export function candidatesOf(faults: readonly Fault[], around: Around): Fault[] {
  return faults.filter((fault) => !around.deeds.has(fault._id) && !isOfAnother(fault, around));
}

/** The faults that a decision reaches which is for all of a cause: those that are pending, and the one at hand. */
export function sharingCause(faults: readonly Fault[], fault: Fault, deeds: ReadonlyMap<string, Deed>): Fault[] {
  const isOpen = ({ _id, state }: Fault) => state === 'pending' && (!deeds.has(_id) || deeds.get(_id) === 'skipped');
  const others = faults.filter(
    (other) => other._id !== fault._id && other.cause.key === fault.cause.key && isOpen(other),
  );
  return [fault, ...others];
}
