import type { Fault } from '@keepwatch/contract/faults/faults';

const BY = { resolved: 'resolved this', ignored: 'ignored this', 'in-progress': 'is working on this' } as const;

/** What others, or a run, made of a fault while it was open here; `null` where there still is something to do. */
export function settledText(fault: Fault, username: string): string | null {
  const { state, changedBy } = fault;
  if (state === 'healed' || fault.closedAt !== null) return 'The job ran fine meanwhile: this fault is healed.';
  if (state === 'pending' || (state === 'in-progress' && changedBy === username)) return null;
  const who = changedBy === username ? 'You' : (changedBy ?? 'Another user');
  return `${who} ${BY[state]}.`;
}
