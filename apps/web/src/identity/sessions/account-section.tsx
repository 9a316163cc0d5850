import type { ReactNode } from 'react';
import { styleVariables } from '../../kit/style-variables.ts';
import styles from './account-section.module.css';

const EMPTY_PX = 190;
const MOST_PX = 374;
const LINE_PX = 44;

interface AccountSectionProps {
  title: string;
  text: string;
  /** How many lines the list has; `null` until that is known. */
  count: number | null;
  action?: ReactNode;
  /** The list. */
  children: ReactNode;
}

/** A part of the profile with a list, as high as its lines up to where it scrolls. */
export function AccountSection({ title, text, count, action, children }: AccountSectionProps) {
  const lines = count ?? 3;
  const height = lines === 0 ? EMPTY_PX : Math.min(MOST_PX, (lines + 1) * LINE_PX);
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        <p>{text}</p>
        {action}
      </header>
      <div className={styles.list} style={styleVariables({ '--list': `${height}px` })}>
        {children}
      </div>
    </section>
  );
}
