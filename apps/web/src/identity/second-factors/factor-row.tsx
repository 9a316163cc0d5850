import type { ReactNode } from 'react';
import { formatDateTime } from '../../kit/format/dates.ts';
import styles from './second-factors.module.css';

/** One second factor, and what can be done with it. */
export function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <div className={styles.what}>
        <strong>{title}</strong>
        <span className={styles.hint}>{text}</span>
      </div>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}

/** When it was added, and last used. */
export function usedText({ createdAt, lastUsedAt }: { createdAt: string; lastUsedAt: string | null }): string {
  const used = lastUsedAt === null ? 'not used yet' : `last used ${formatDateTime(lastUsedAt)}`;
  return `Added ${formatDateTime(createdAt)}, ${used}`;
}
