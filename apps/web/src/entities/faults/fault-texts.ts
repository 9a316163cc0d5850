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
  return parts.length > 0 ? parts.join('\n') : withoutReasonText(kind);
}

/** What there is to say of a fault where neither its runs nor the source say why. */
export function withoutReasonText(kind: FaultKind): string {
  return kind === 'missed' ? 'An expected run did not happen.' : 'The source gave no reason.';
}
