import type { PortalBackup } from '@keepwatch/contract/administration/backups';
import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { ListSection } from '../../kit/list/list-section.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { useDeleteBackup, useSaveBackup } from './backups.data.ts';
import styles from './backups.module.css';

const RestoreDialog = lazy(() => import('./restore-dialog.tsx'));

interface BackupListProps {
  backups: readonly PortalBackup[];
  /** What makes another one. */
  action: ReactNode;
}

/** The backups that are there, and what can be done with each. */
export function BackupList({ backups, action }: BackupListProps) {
  const [restored, setRestored] = useState<PortalBackup | null>(null);
  return (
    <ListSection title="Backups" text="The whole database of the portal, each in one file." action={action}>
      {backups.length === 0 && <EmptyState title="No backups yet" text="Make one now, or let one be made every day." />}
      <ul className={styles.list}>
        {backups.map((backup) => (
          <li key={backup.name} className={styles.line}>
            <What backup={backup} />
            <Actions backup={backup} onRestore={() => setRestored(backup)} />
          </li>
        ))}
      </ul>
      <Suspense fallback={null}>
        {restored !== null && <RestoreDialog backup={restored} onClose={() => setRestored(null)} />}
      </Suspense>
    </ListSection>
  );
}

function What({ backup: { name, createdAt, sizeBytes, program, checksum, keys } }: { backup: PortalBackup }) {
  return (
    <div className={styles.what}>
      <span>
        <strong title={name}>{formatDateTime(createdAt)}</strong>{' '}
        <span className={styles.muted}>
          {formatBytes(sizeBytes)} · version {program}
        </span>
      </span>
      {keys.length > 0 && (
        <span className={styles.muted}>
          Needs the key <code>{keys.join(' and ')}</code>
        </span>
      )}
      <span className={styles.muted}>
        SHA-256 <code>{checksum}</code>
      </span>
    </div>
  );
}

function Actions({ backup, onRestore }: { backup: PortalBackup; onRestore: () => void }) {
  const save = useSaveBackup();
  const remove = useDeleteBackup();
  const { confirm, dialog } = useConfirm();
  const made = formatDateTime(backup.createdAt);
  const ask = async () => {
    const text = 'Its file is deleted from the portal’s machine. This cannot be undone.';
    const question = { title: `Delete the backup of ${made}?`, text, confirmLabel: 'Delete backup', isDanger: true };
    if (await confirm(question)) remove.mutate(backup);
  };
  const button = (deed: string, isPending: boolean, onClick: () => void) => (
    <Button variant="default" aria-label={`${deed} the backup of ${made}`} loading={isPending} onClick={onClick}>
      {deed}
    </Button>
  );
  return (
    <div className={styles.actions}>
      {button('Download', save.isPending, () => save.mutate(backup))}
      {button('Restore', false, onRestore)}
      {button('Delete', remove.isPending, () => void ask())}
      {dialog}
    </div>
  );
}
