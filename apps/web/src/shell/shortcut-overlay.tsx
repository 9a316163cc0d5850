import { Modal } from '@mantine/core';
import { Fragment, useSyncExternalStore } from 'react';
import { usePortal } from '../kit/portal.tsx';
import type { Shortcut } from '../kit/shortcuts/shortcut-store.ts';
import styles from './shortcut-overlay.module.css';

const KEY_WORDS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Control: 'Ctrl' };

/** The list of shortcuts of this moment. */
export default function ShortcutOverlay({ onClose }: { onClose: () => void }) {
  const { shortcuts } = usePortal();
  const all = useSyncExternalStore(shortcuts.subscribe, shortcuts.get);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="sm" closeButtonProps={{ 'aria-label': 'Close' }}>
      <dl className={styles.list}>
        {shortcutsByLabel(all).map(([label, ways]) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>
              {ways.map((keys, place) => (
                <Fragment key={keys}>
                  {place > 0 && 'or'}
                  {keys.split(/[ +]/).map((key) => (
                    <kbd key={key}>{KEY_WORDS[key] ?? key}</kbd>
                  ))}
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

/** What can be done, and the keys of each. Where two have the same keys, the one that works is listed. */
export function shortcutsByLabel(all: readonly Shortcut[]): [label: string, ways: readonly string[]][] {
  const working = new Map<string, string>();
  for (const { keys, label } of all) if (!working.has(keys)) working.set(keys, label);
  const keysOf = Map.groupBy(working.keys(), (keys) => working.get(keys) ?? '');
  return [...keysOf];
}
