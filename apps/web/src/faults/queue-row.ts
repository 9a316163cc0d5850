import type { Cause, Fault } from '@keepwatch/contract/faults/faults';

/** A line of the queue: one fault, or several of one cause with the newest of them. */
export interface QueueRow {
  /** The id of the fault, or in a list of causes the key of its cause. */
  id: string;
  fault: Fault;
  /** What the line counts, where it is of several faults. */
  group: Cause | null;
}

export function rowOfFault(fault: Fault): QueueRow {
  return { id: fault._id, fault, group: null };
}

/** A cause with one fault is simply that fault. */
export function rowOfCause(cause: Cause): QueueRow {
  return { id: cause.key, fault: cause.fault, group: cause.faults === 1 ? null : cause };
}

/** How many faults lines are of. */
export function faultsOf(rows: readonly QueueRow[]): number {
  return rows.reduce((sum, { group }) => sum + (group?.faults ?? 1), 0);
}
