import type { ReactNode } from 'react';
import styles from './filter-bar.module.css';

/** The row of filters above a list. `end` holds what is done with the list: export, counts. */
export function FilterBar({ children, end }: { children: ReactNode; end?: ReactNode }) {
  return (
    <section className={styles.bar} aria-label="Filters">
      <div className={styles.filters}>{children}</div>
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </section>
  );
}
