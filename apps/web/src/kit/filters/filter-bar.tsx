import type { ReactNode } from 'react';
import styles from './filter-bar.module.css';

interface FilterBarProps {
  children: ReactNode;
  /** What is done with the list: export, counts. */
  end?: ReactNode;
  /** Never two rows, so that the list below does not move when a filter is chosen. */
  isOneRow?: boolean;
  /** On a phone all of it is in view, in several rows. */
  isWrapped?: boolean;
}

/** The row of filters above a list. */
export function FilterBar({ children, end, isOneRow = false, isWrapped = false }: FilterBarProps) {
  return (
    <section
      className={styles.bar}
      aria-label="Filters"
      data-one-row={isOneRow || undefined}
      data-wrapped={isWrapped || undefined}
    >
      <div className={styles.filters}>{children}</div>
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </section>
  );
}
