import { COUNT_MAX } from '@keepwatch/contract/runs/values';
import { formatCount, formatRuns } from '../kit/format/numbers.ts';

/** `1 run`, `1,234 runs`, `100,000 or more runs`. */
export function countText(count: number): string {
  if (count >= COUNT_MAX) return `${formatCount(COUNT_MAX)} or more runs`;
  return formatRuns(count);
}
