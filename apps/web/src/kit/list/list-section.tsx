import type { ReactNode } from 'react';
import { styleVariables } from '../style-variables.ts';
import styles from './list-section.module.css';

const EMPTY_PX = 190;
const MOST_PX = 374;
const LINE_PX = 44;

interface ListSectionProps {
  title: string;
  text: string;
  /** What can be done with the list as a whole. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a screen with a heading, what it is about, and a list. */
export function ListSection({ title, text, action, children }: ListSectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        <p>{text}</p>
        {action}
      </header>
      {children}
    </section>
  );
}

interface TableSectionProps extends ListSectionProps {
  /** How many lines the table has; `null` until that is known. */
  count: number | null;
  /** From this height on it scrolls. */
  mostPx?: number;
}

/** The same with a table, as high as its lines up to where it scrolls. */
export function TableSection({ count, mostPx = MOST_PX, children, ...section }: TableSectionProps) {
  const lines = count ?? 3;
  const height = lines === 0 ? EMPTY_PX : Math.min(mostPx, (lines + 1) * LINE_PX);
  return (
    <ListSection {...section}>
      <div className={styles.table} style={styleVariables({ '--table': `${height}px` })}>
        {children}
      </div>
    </ListSection>
  );
}
