import type { Connection } from '@keepwatch/contract/connections/connections';
import { formatCount } from '../kit/format/numbers.ts';

/** `12 companies`: those that have an id in the outside system; `null` where there is none. */
export function usedBy({ companies }: Connection): string | null {
  if (companies === 0) return null;
  return companies === 1 ? '1 company' : `${formatCount(companies)} companies`;
}
