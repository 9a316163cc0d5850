import type { ReactNode } from 'react';
import styles from './key-hints.module.css';

/** The most useful keys of a list, in the bar under it: `<kbd>j</kbd> move`. Screen readers have the list of all keys. */
export function KeyHints({ children }: { children: ReactNode }) {
  return (
    <span className={styles.keys} aria-hidden>
      {children} <kbd>?</kbd> all keys
    </span>
  );
}
