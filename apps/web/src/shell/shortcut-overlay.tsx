import { Modal } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { usePortal } from '../kit/portal.tsx';
import styles from './shortcut-overlay.module.css';

/** The list of shortcuts of this moment. */
export default function ShortcutOverlay({ onClose }: { onClose: () => void }) {
  const { shortcuts } = usePortal();
  const all = useSyncExternalStore(shortcuts.subscribe, shortcuts.get);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="sm" closeButtonProps={{ 'aria-label': 'Close' }}>
      <dl className={styles.list}>
        {all.map(({ keys, label }) => (
          <div key={`${keys} ${label}`} className={styles.row}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
