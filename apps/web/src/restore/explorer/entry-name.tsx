import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import type { Entry } from './entry.ts';
import { EntryIcon } from './entry-icon.tsx';
import styles from './explorer.module.css';

/** Picture and name of an entry, and whether it is gone. On a phone with what the other columns say. */
export function EntryName({ entry, isCompact = false }: { entry: Entry; isCompact?: boolean }) {
  const { type, name, detail, isDeleted, from, date, sizeBytes } = entry;
  const dated = [from, date === null ? null : formatDateTime(date), sizeBytes === null ? null : formatBytes(sizeBytes)];
  const facts = dated.filter((fact) => fact !== null);
  return (
    <span className={styles.entry} data-deleted={isDeleted || undefined}>
      <EntryIcon type={type} />
      <span className={styles.entryText}>
        <span className={styles.entryName}>{name}</span>
        {isDeleted && <span className={styles.deleted}> deleted</span>}
        {!isCompact && detail !== null && <span className={styles.detail}> {detail}</span>}
        {isCompact && <span className={styles.facts}>{facts.length === 0 ? detail : facts.join(' · ')}</span>}
      </span>
    </span>
  );
}
