import { formatCounted } from '../../kit/format/numbers.ts';
import styles from '../restore.module.css';
import type { Entry } from './entry.ts';

/** Why some of what was chosen is not done, and how many of it. */
export interface RefusedEntries {
  reason: string;
  count: number;
}

/** What is refused of some entries, by the reasons. */
export function refusedOf(
  refuses: ((entry: Pick<Entry, 'type'>) => string | null) | undefined,
  entries: readonly Pick<Entry, 'type'>[],
): RefusedEntries[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const reason = refuses?.(entry) ?? null;
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count }));
}

/** Whether nothing of it is left to be done. */
export function isAllRefused(refused: readonly RefusedEntries[], entries: readonly unknown[]): boolean {
  return entries.length > 0 && refused.reduce((sum, { count }) => sum + count, 0) === entries.length;
}

/** Says what is left out of a restore or download, and why. */
export function Refused({ refused, verb }: { refused: readonly RefusedEntries[]; verb: 'restored' | 'downloaded' }) {
  return refused.map(({ reason, count }) => (
    <p key={reason} className={styles.note} role="note">
      <strong>
        {formatCounted(count, 'entry is', 'entries are')} not {verb}.
      </strong>{' '}
      {reason}
    </p>
  ));
}
