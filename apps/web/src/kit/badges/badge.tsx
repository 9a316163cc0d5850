import type { Icon } from '@tabler/icons-react';
import styles from './badge.module.css';

export type Tone = 'failed' | 'warning' | 'success' | 'running' | 'missed' | 'neutral';

/** Shows a status as an icon and a word, so that it is clear without colours. */
export function Badge({ tone, icon: Icon, word }: { tone: Tone; icon: Icon; word: string }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon size={15} stroke={1.8} aria-hidden className={styles.icon} />
      {word}
    </span>
  );
}
