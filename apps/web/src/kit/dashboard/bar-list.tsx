import type { ReactNode } from 'react';
import type { Target } from '../place.ts';
import { ScreenLink } from '../screen-link.tsx';
import styles from './bar-list.module.css';

/** Height of one row, for panels that have room for a number of them. */
export const BAR_ROW_PX = 42;

export interface BarRow {
  key: string;
  title: string;
  /** What the row counts: a target, or an element of its own around the title; and where that is not open to the user. */
  to: Target | ((className: string | undefined, title: string) => ReactNode);
  otherwise?: Target | undefined;
  /** Below the title: whose it is. */
  detail: string;
  /** The value, and what it is of, for people who point at it. */
  text: string;
  hint?: string;
  /** How much of its width the bar fills, 0 to 1. */
  share: number;
}

/** Things in the order of a value, each with a bar and a link to what it counts. */
export function BarList({ rows }: { rows: readonly BarRow[] }) {
  return (
    <ol className={styles.list}>
      {rows.map(({ key, title, to, otherwise, detail, text, hint, share }) => (
        <li key={key} className={styles.row}>
          {typeof to === 'function' ? (
            to(styles.title, title)
          ) : (
            <ScreenLink className={styles.title} title={title} to={to} otherwise={otherwise}>
              {title}
            </ScreenLink>
          )}
          <span className={styles.detail}>{detail}</span>
          <span className={styles.value} title={hint}>
            {text}
          </span>
          <span className={styles.track} aria-hidden>
            <span className={styles.bar} style={{ width: `${share * 100}%` }} />
          </span>
        </li>
      ))}
    </ol>
  );
}
