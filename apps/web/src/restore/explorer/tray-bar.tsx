import { Button } from '@mantine/core';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes, formatCounted } from '../../kit/format/numbers.ts';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import type { RestoreApplication } from './application.ts';
import type { Entry } from './entry.ts';
import { isContainer } from './entry.ts';
import { ENTRY_WORDS } from './entry-words.ts';
import styles from './explorer.module.css';
import { isAllRefused, Refused, refusedOf } from './refused.tsx';
import { countsOf } from './use-tray.ts';

interface TrayBarProps {
  application: RestoreApplication;
  entries: readonly Entry[];
  /** The restore point where they were chosen; without: the one that is shown. */
  at: string | undefined;
  /** Whether the keys are for these. */
  hasKeys: boolean;
  onClear: () => void;
  onDownload: () => void;
  onRestore: () => void;
}

/** What is selected at a restore point, over folders and pages, and what is done with it. */
export function TrayBar({ application, entries, at, hasKeys, onClear, onDownload, onRestore }: TrayBarProps) {
  const [noRestore, noDownload] = [
    refusedOf(application.refusesRestore, entries),
    refusedOf(application.refusesDownload, entries),
  ];
  const [isUnrestorable, isUnsaved] = [isAllRefused(noRestore, entries), isAllRefused(noDownload, entries)];
  useShortcut('d', 'Download the selection', onDownload, !hasKeys || isUnsaved);
  useShortcut('r', 'Restore the selection', onRestore, !hasKeys || isUnrestorable);
  const asOf = at === undefined ? '' : ` as of ${formatDateTime(at)}`;
  return (
    <section className={styles.tray} aria-label={`Selection${asOf}`}>
      <p role="status">
        {trayText(entries)}
        {asOf}
      </p>
      <Button variant="subtle" onClick={onClear}>
        Clear
      </Button>
      <Button variant="default" disabled={isUnsaved} onClick={onDownload}>
        Download…
      </Button>
      <Button disabled={isUnrestorable} onClick={onRestore}>
        Restore…
      </Button>
      {(isUnrestorable || isUnsaved) && (
        <div className={styles.refused}>
          {isUnrestorable && <Refused refused={noRestore} verb="restored" />}
          {isUnsaved && <Refused refused={noDownload} verb="downloaded" />}
        </div>
      )}
    </section>
  );
}

/** `2 folders, 14 messages · 310 MB of Ada Lovelace`; folders count with what is below them, which is weighed before a download. */
export function trayText(entries: readonly Entry[]): string {
  const counts = countsOf(entries).map(([type, count]) => formatCounted(count, ...ENTRY_WORDS[type]));
  const items = entries.filter((entry) => !isContainer(entry));
  const sizeBytes = items.reduce((sum, entry) => sum + (entry.sizeBytes ?? 0), 0);
  const owners = new Set(entries.map(({ objectName }) => objectName));
  const size =
    items.length === 0 ? '' : ` · ${formatBytes(sizeBytes)}${items.length < entries.length ? ' and folders' : ''}`;
  const [owner] = owners;
  return `${counts.join(', ')}${size}${owners.size === 1 ? ` of ${owner}` : ''}`;
}
