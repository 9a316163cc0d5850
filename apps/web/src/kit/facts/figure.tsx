import { type ReactNode, useId } from 'react';
import styles from './figure.module.css';

interface FigureProps {
  label: string;
  /** What the figure counts, for people who point at it. */
  hint?: string;
  /** What it counts where that is worth knowing: behind a sign that the keyboard and a finger reach, too. */
  definition?: string;
  /** The number itself; where it can be listed, a link to exactly what it counts. */
  value: ReactNode;
  /** Beneath it, a line each: how it changed, what to do. `null` has no line. */
  notes?: readonly ReactNode[];
}

/** One large number with its label. */
export function Figure({ label, hint, definition, value, notes = [] }: FigureProps) {
  return (
    <div className={styles.figure} title={hint}>
      <span className={styles.label}>
        {label}
        {definition !== undefined && <Definition label={label} text={definition} />}
      </span>
      <span className={styles.value}>{value}</span>
      {notes.map(
        (note, place) =>
          note !== null && (
            // biome-ignore lint/suspicious/noArrayIndexKey: each line has its place
            <span key={place} className={styles.label}>
              {note}
            </span>
          ),
      )}
    </div>
  );
}

function Definition({ label, text }: { label: string; text: string }) {
  const id = useId();
  return (
    <span className={styles.definition}>
      <button type="button" className={styles.sign} aria-label={`What counts: ${label}`} aria-describedby={id}>
        ?
      </button>
      <span role="tooltip" id={id} className={styles.text}>
        {text}
      </span>
    </span>
  );
}
