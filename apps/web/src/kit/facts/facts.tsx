import { createContext, type ReactNode, useContext } from 'react';
import styles from './facts.module.css';

interface FactsProps {
  /** Above the facts, where several groups are below each other. */
  title?: string;
  /** What is not known has no row; otherwise it has a dash. */
  hidesUnknown?: boolean;
  /** Side by side as far as there is space. */
  isWide?: boolean;
  children: ReactNode;
}

const HidesUnknown = createContext(false);

/** What is known of one thing, as terms and values. */
export function Facts({ title, hidesUnknown = false, isWide = false, children }: FactsProps) {
  const list = (
    <HidesUnknown value={hidesUnknown}>
      <dl className={styles.list} data-wide={isWide || undefined}>
        {children}
      </dl>
    </HidesUnknown>
  );
  if (title === undefined) return list;
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {list}
    </section>
  );
}

/** One term and its value; `null` is not known. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  const hidesUnknown = useContext(HidesUnknown);
  if (hidesUnknown && children === null) return null;
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{children ?? '–'}</dd>
    </div>
  );
}
