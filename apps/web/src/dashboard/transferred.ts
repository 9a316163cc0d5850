import type { DayCounts } from '@keepwatch/contract/monitoring/insight';
import { formatBytes } from '../kit/format/numbers.ts';

/** Transferred bytes as far as they are known: `1.5 GB`; `≥ 1.5 GB` where some runs did not tell theirs; `–` where none did. */
export function transferredText({
  transferredBytes,
  isTransferredPartial,
}: Pick<DayCounts, 'transferredBytes' | 'isTransferredPartial'>): string {
  const text = formatBytes(transferredBytes);
  return transferredBytes !== null && isTransferredPartial === true ? `≥ ${text}` : text;
}
