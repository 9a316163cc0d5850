import type { Tone } from './badges/badge.tsx';
import styles from './progress-bar.module.css';
import { styleVariables } from './style-variables.ts';

interface ProgressBarProps {
  /** 0 to 1; `null`: not known. */
  ratio: number | null;
  tone: Tone;
  /** Says the same in words. */
  text: string;
  title?: string;
}

/** How far something is, as a bar and in words. */
export function ProgressBar({ ratio, tone, text, title }: ProgressBarProps) {
  const percent = ratio === null ? 0 : Math.min(100, Math.max(0, ratio * 100));
  return (
    <span
      className={styles.progress}
      title={title}
      style={styleVariables({ '--part': `${percent}%`, '--tone': `var(--status-${tone})` })}
    >
      <span className={styles.text}>{text}</span>
      <span className={styles.bar} aria-hidden />
    </span>
  );
}
