import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import styles from './news-pill.module.css';

interface NewsPillProps {
  /** `null`: nothing that needs to be said. */
  text: string | null;
  /** There is something that the list does not show, even if it need not be said. */
  hasNews?: boolean;
  refresh: () => void;
}

/** Says quietly over a list that it has changed; the list changes when it is pressed, and no row is covered. */
export function NewsPill({ text, hasNews = text !== null, refresh }: NewsPillProps) {
  useShortcut('.', 'Show what is new', refresh, !hasNews);
  return (
    <div className={styles.place} aria-live="polite">
      {text !== null && (
        <button type="button" className={styles.pill} title="Show what is new (.)" onClick={refresh}>
          <IconRefresh size={13} aria-hidden />
          {text}
        </button>
      )}
    </div>
  );
}
