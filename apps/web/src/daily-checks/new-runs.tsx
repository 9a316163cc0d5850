import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { formatCount } from '../kit/format/numbers.ts';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import styles from './new-runs.module.css';

interface NewRunsProps {
  isChanged: boolean;
  newRuns: number;
  refresh: () => void;
}

/** Says quietly that there is something new; the list changes when it is pressed. It covers nothing and moves nothing. */
export function NewRuns({ isChanged, newRuns, refresh }: NewRunsProps) {
  useShortcut('.', 'Show what is new', refresh, !isChanged);
  return (
    <div className={styles.place} aria-live="polite">
      {isChanged && (
        <button type="button" className={styles.pill} title="Show what is new (.)" onClick={refresh}>
          <IconRefresh size={13} aria-hidden />
          {newRuns > 0 ? `${formatCount(newRuns)} new` : 'List changed'}
        </button>
      )}
    </div>
  );
}
