import styles from './skeleton-rows.module.css';

/** In the place of rows that are being loaded. */
export function SkeletonRows({ rows }: { rows: number }) {
  return (
    <div className={styles.rows} data-part="skeleton" aria-hidden>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <span key={row} className={styles.row} />
      ))}
    </div>
  );
}
