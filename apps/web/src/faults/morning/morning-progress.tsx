import { Button } from '@mantine/core';
import { formatCount } from '../../kit/format/numbers.ts';
import { styleVariables } from '../../kit/style-variables.ts';
import styles from './morning-progress.module.css';
import { estimateText } from './session.ts';
import type { Morning } from './use-morning.ts';

/** A thin bar and `12 of 64, about 9 min`. */
export function MorningProgress({ morning, onLeave }: { morning: Morning; onLeave: () => void }) {
  const { decided, left, session, currentId, deeds, isRead, unread } = morning;
  const all = decided + left;
  // Who went back looks at one that was decided already.
  const isBack = currentId !== null && deeds.has(currentId);
  const at = Math.min(all, decided + (isBack ? 0 : 1));
  const estimate = estimateText(session, left);
  const place = currentId === null ? '' : `${formatCount(at)} of ${formatCount(all)}${unread > 0 ? ' or more' : ''}`;
  const percent = all === 0 ? 0 : (decided / all) * 100;
  return (
    <div className={styles.progress}>
      <div className={styles.bar} style={styleVariables({ '--part': `${percent}%` })} aria-hidden />
      <div className={styles.line}>
        <span aria-live="polite">{isRead ? [place, estimate].filter(Boolean).join(', ') : ''}</span>
        <Button variant="subtle" title="Leave (Escape)" onClick={onLeave}>
          Leave
        </Button>
      </div>
    </div>
  );
}
