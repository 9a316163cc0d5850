import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { formatBytes } from '../../kit/format/numbers.ts';

/** Formats the known transferred bytes: `1.5 GB`; `≥ 1.5 GB` if some runs did not report theirs; `–` if none did. */
export function transferredText({
  transferredBytes,
  isTransferredPartial,
}: Pick<DayCounts, 'transferredBytes' | 'isTransferredPartial'>): string {
  const text = formatBytes(transferredBytes);
  return transferredBytes !== null && isTransferredPartial === true ? `≥ ${text}` : text;
}
