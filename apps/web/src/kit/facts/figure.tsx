import type { ReactNode } from 'react';
import styles from './figure.module.css';

interface FigureProps {
  label: string;
  /** What the figure counts, for people who point at it. */
  hint?: string;
  /** The number itself; where it can be listed, a link to exactly what it counts. */
  value: ReactNode;
  /** Beneath it, a line each: how it changed, what to do. `null` has no line. */
  notes?: readonly (string | null)[];
}

/** One large number with its label. */
export function Figure({ label, hint, value, notes = [] }: FigureProps) {
  return (
    <div className={styles.figure} title={hint}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{value}</span>
      {notes.map(
        (note) =>
          note !== null && (
            <span key={note} className={styles.label}>
              {note}
            </span>
          ),
      )}
    </div>
  );
}
