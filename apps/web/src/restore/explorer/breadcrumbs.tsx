import { Button } from '@mantine/core';
import { capital } from '../../kit/format/words.ts';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import type { RestoreApplication } from './application.ts';
import { type Entry, type EntryType, isFixed, keyOf } from './entry.ts';
import { ENTRY_WORDS } from './entry-words.ts';
import styles from './explorer.module.css';

interface BreadcrumbsProps {
  application: RestoreApplication;
  path: readonly Entry[];
  onOpen: (path: readonly Entry[]) => void;
  /** Selects the node whose content is listed, with all below it. */
  onSelect: (entry: Entry) => void;
  /** Compares it with another restore point; `null` while that is done. */
  onCompare: (() => void) | null;
  /** Why it cannot be compared. */
  noComparison: string | null;
}

/** Where it is not one of something. */
const SELECT_WORDS: Partial<Record<EntryType, string>> = {
  chats: 'Select all chats',
  settings: 'Select these settings',
};

/** Where the list is, each step a way back. */
export function Breadcrumbs({ application, path, onOpen, onSelect, onCompare, noComparison }: BreadcrumbsProps) {
  useShortcut(
    'c',
    'Compare with another restore point',
    () => onCompare?.(),
    onCompare === null || noComparison !== null,
  );
  const here = path.at(-1);
  return (
    <nav className={styles.crumbs} aria-label="Breadcrumbs">
      <ol>
        <li>
          <button type="button" disabled={path.length === 0} onClick={() => onOpen([])}>
            {capital(application.objects.many)}
          </button>
        </li>
        {path.map((entry, index) => (
          <li key={keyOf(entry)}>
            <button
              type="button"
              title={entry.name}
              disabled={index === path.length - 1}
              aria-current={index === path.length - 1 ? 'page' : undefined}
              onClick={() => onOpen(path.slice(0, index + 1))}
            >
              {entry.name}
            </button>
          </li>
        ))}
      </ol>
      {onCompare !== null && (
        <>
          <Button variant="subtle" size="compact-sm" disabled={noComparison !== null} onClick={onCompare}>
            Compare…
          </Button>
          {noComparison !== null && <span className={styles.reason}>{noComparison}</span>}
        </>
      )}
      {here !== undefined && !isFixed(here) && (
        <Button variant="subtle" size="compact-sm" onClick={() => onSelect(here)}>
          {SELECT_WORDS[here.type] ?? `Select this ${ENTRY_WORDS[here.type][0]}`}
        </Button>
      )}
    </nav>
  );
}
