import type { Fault } from '@keepwatch/contract/faults/faults';
import type { FaultKind } from '@keepwatch/contract/faults/values';

export const KIND_WORDS: Readonly<Record<FaultKind, string>> = {
  failed: 'Failed',
  missed: "Didn't run",
  doubtful: 'Doubtful',
  warning: 'Warning',
};

/** Why it is a fault, as one text: what is unusual, and what the source says. */
export function reasonOf({ kind, anomalyTexts, message }: Fault): string {
  const parts = [...anomalyTexts, ...(message === null ? [] : [message])];
  if (parts.length > 0) return parts.join('\n');
  return kind === 'missed' ? 'An expected run did not happen.' : 'The source gave no reason.';
}
