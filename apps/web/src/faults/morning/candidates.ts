import type { Fault } from '@keepwatch/contract/faults/faults';
import { FAULT_KINDS } from '@keepwatch/contract/faults/values';
import type { FaultViewer } from '@keepwatch/contract/faults/viewers';
import { formatCounted } from '../../kit/format/numbers.ts';
import type { FaultSort } from '../faults.data.ts';
import type { Deed } from './session.ts';

interface Around {
  /** The name of the person whose morning it is. */
  username: string;
  viewers: readonly FaultViewer[];
  /** What was decided, as far as that still applies. */
  deeds: ReadonlyMap<string, Deed>;
}

/** Another person who works on a fault: it is in progress by them, or they have it open. `null`: no other. */
export function otherOf({ _id, state, changedBy }: Fault, { username, viewers }: Omit<Around, 'deeds'>): string | null {
  if (state === 'in-progress' && changedBy !== username) return changedBy ?? 'another user';
  return viewers.find(({ faultId, isSelf }) => faultId === _id && !isSelf)?.username ?? null;
}

/** What is still to be decided, in the order of the queue: neither decided already nor worked on by another person. */
export function candidatesOf(faults: readonly Fault[], around: Around): Fault[] {
  return faults.filter((fault) => !around.deeds.has(fault._id) && otherOf(fault, around) === null);
}

/** The next of those left after the one at hand, as the list goes on below a line; at its end the first again. */
export function followingIn(faults: readonly Fault[], id: string | null, left: readonly Fault[]): Fault | undefined {
  const others = new Set(left.filter(({ _id }) => _id !== id));
  const place = faults.findIndex(({ _id }) => _id === id);
  return faults.slice(place + 1).find((fault) => others.has(fault)) ?? faults.find((fault) => others.has(fault));
}

/**
 * The faults of a cause one after the other, and the causes as the queue has them: where nothing else was asked the worst first, then those of
 * most faults.
 */
export function inOrderOfCauses(faults: readonly Fault[], sort: FaultSort): Fault[] {
  const causes = [...Map.groupBy(faults, ({ cause }) => cause.key)];
  if (sort === 'none') causes.sort(byPlace);
  return causes.flatMap(([, ofCause]) => ofCause);
}

type FaultsOfCause = [key: string, faults: readonly Fault[]];

function byPlace([oneKey, one]: FaultsOfCause, [otherKey, other]: FaultsOfCause): number {
  return worstOf(one) - worstOf(other) || other.length - one.length || (oneKey < otherKey ? -1 : 1);
}

function worstOf(faults: readonly Fault[]): number {
  return Math.min(...faults.map(({ kind }) => FAULT_KINDS.indexOf(kind)));
}

/** The faults that a decision for all of a cause reaches: those that are pending and of no other person, and the one at hand. */
export function sharingCause(faults: readonly Fault[], fault: Fault, around: Around): Fault[] {
  const others = othersOfCause(faults, fault, around);
  return [fault, ...others.filter((other) => other.state === 'pending' && otherOf(other, around) === null)];
}

/** `2 are with anna, 1 is with ben`: the faults of a cause that other people work on; `null`: none. */
export function withOthersText(faults: readonly Fault[], fault: Fault, around: Around): string | null {
  const names = othersOfCause(faults, fault, around).flatMap((other) => otherOf(other, around) ?? []);
  const counts = [...Map.groupBy(names, (name) => name)].map(
    ([name, { length }]) => `${formatCounted(length, 'is', 'are')} with ${name}`,
  );
  return counts.length === 0 ? null : counts.join(', ');
}

/** Those of a cause that are to be decided, also those that were skipped. */
function othersOfCause(faults: readonly Fault[], { _id: id, cause }: Fault, { deeds }: Around): Fault[] {
  const isLeft = ({ _id }: Fault) => _id !== id && (!deeds.has(_id) || deeds.get(_id) === 'skipped');
  return faults.filter((other) => other.cause.key === cause.key && isLeft(other));
}
