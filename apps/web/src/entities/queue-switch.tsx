import { ScreenLink, useGo, useMayOpen } from '../kit/screen-link.tsx';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import { dailyChecks, queue } from './places.ts';
import styles from './queue-switch.module.css';
import { useScopedTarget } from './scoped-target.ts';

/** From the faults to the single runs and back. `v` does the same. */
export function QueueSwitch({ at }: { at: 'faults' | 'runs' }) {
  const scoped = useScopedTarget();
  const go = useGo();
  const mayOpen = useMayOpen(queue);
  const [word, other] = at === 'faults' ? ['Show single runs', dailyChecks] : ['Show faults', queue];
  useShortcut('v', word, () => go(scoped(other)), !mayOpen);
  if (!mayOpen) return null;
  return (
    <nav className={styles.switch} aria-label="Faults or runs" title={`${word} (v)`}>
      <ScreenLink to={scoped(queue)} className={styles.choice} isCurrentByPath>
        Faults
      </ScreenLink>
      <ScreenLink to={scoped(dailyChecks)} className={styles.choice} isCurrentByPath>
        Runs
      </ScreenLink>
    </nav>
  );
}
