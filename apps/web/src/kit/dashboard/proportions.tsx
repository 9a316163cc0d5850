import type { ReactNode } from 'react';
import { formatCount } from '../format/numbers.ts';
import type { Target } from '../place.ts';
import { ScreenLink } from '../screen-link.tsx';
import styles from './proportions.module.css';

export interface Proportion {
  key: string;
  word: string;
  count: number;
  color: string;
  /** What is as it should be stays in the background. */
  isFaded?: boolean;
  /** What leads to those that are counted: a target, or an element of its own around the figure. */
  to: Target | ((className: string | undefined, figure: ReactNode) => ReactNode);
  otherwise?: Target;
}

/** How something is divided: as one bar, and as figures that lead to what each counts. */
export function Proportions({ label, parts }: { label: string; parts: readonly Proportion[] }) {
  return (
    <>
      <span className={styles.label}>{label}</span>
      <div className={styles.proportions} aria-hidden>
        {parts.map(({ key, count, color, isFaded }) => (
          <span
            key={key}
            data-faded={isFaded || undefined}
            style={{ flexGrow: count, background: color }}
            hidden={count === 0}
          />
        ))}
      </div>
      <ul className={styles.words}>
        {parts.map((part) => (
          <li key={part.key}>
            <FigureLink part={part} />
          </li>
        ))}
      </ul>
    </>
  );
}

function FigureLink({ part: { to, otherwise, word, count, color } }: { part: Proportion }) {
  const figure = (
    <>
      <span className={styles.swatch} style={{ background: color }} aria-hidden />
      <strong>{formatCount(count)}</strong> {word}
    </>
  );
  if (typeof to === 'function') return to(styles.result, figure);
  return (
    <ScreenLink className={styles.result} to={to} otherwise={otherwise}>
      {figure}
    </ScreenLink>
  );
}
