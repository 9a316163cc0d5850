import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { formatCounted } from '../kit/format/numbers.ts';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import styles from './new-faults.module.css';

/** Says quietly that there is more to do; the list changes when it is pressed. */
export function NewFaults({ added, refresh }: { added: number; refresh: () => void }) {
  useShortcut('.', 'Show what is new', refresh, added === 0);
  return (
    <div className={styles.place} aria-live="polite">
      {added > 0 && (
        <button type="button" className={styles.pill} title="Show what is new (.)" onClick={refresh}>
          <IconRefresh size={13} aria-hidden />
          {formatCounted(added, 'new fault', 'new faults')}
        </button>
      )}
    </div>
  );
}
