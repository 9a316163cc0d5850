import styles from './narrowed-summary.module.css';

interface NarrowedSummaryProps {
  /** What the list has: `2 of 220 pending`. Empty while that is being counted. */
  text: string;
  /** Which of the rows that are, where it is not simply all; else empty. */
  view: string;
  /** What narrows the list; empty where nothing does. */
  by: string;
  onClear: () => void;
}

/** How many rows a list has, and why it does not have all: `2 of 220 pending, filtered by Acme`. */
export function NarrowedSummary({ text, view, by, onClear }: NarrowedSummaryProps) {
  return (
    <span className={styles.summary}>
      <span aria-live="polite">{text}</span>
      <span className={styles.why} title={by}>
        {view !== '' && `, ${view}`}
        {by !== '' && `, filtered by ${by}`}
      </span>
      {by !== '' && (
        <>
          <span aria-hidden>·</span>
          <button type="button" className={styles.clear} onClick={onClear}>
            Clear
          </button>
        </>
      )}
    </span>
  );
}
