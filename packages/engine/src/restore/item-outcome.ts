import type { ItemKind } from '../model/items.ts';

/** What became of one item. */
export interface ItemOutcome {
  id: string;
  kind: ItemKind;
  name: string;
  /** Names of the containers above it. */
  path: readonly string[];
  outcome: 'restored' | 'replaced' | 'skipped' | 'failed';
  /** Why it was skipped or failed. */
  reason?: string;
  /** Its id at the target, when it was written. */
  targetId?: string;
  /** What was in its place before, and matches no other item. */
  claimedId?: string;
  /** Bytes that were written. */
  bytes: number;
  /** What of it the vendor did not take. */
  losses: readonly string[];
}
