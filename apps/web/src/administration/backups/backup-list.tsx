import type { PortalBackup } from '@keepwatch/contract/administration/backups';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useConfirm } from '../../kit/confirm/use-confirm.tsx';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { LineButton } from '../../kit/data-table/line-button.tsx';
import { wholeList } from '../../kit/data-table/pages.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { TableSection } from '../../kit/list/list-section.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { useDeleteBackup, useSaveBackup } from './backups.data.ts';
import styles from './backups.module.css';

const RestoreDialog = lazy(() => import('./restore-dialog.tsx'));

const COLUMNS: readonly Column<PortalBackup>[] = [
  {
    key: 'createdAt',
    title: 'Made',
    width: 'minmax(130px, 1fr)',
    cell: ({ createdAt, name }) => <span title={name}>{formatDateTime(createdAt)}</span>,
  },
  { key: 'size', title: 'Size', width: '84px', align: 'end', cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  {
    key: 'program',
    title: 'Version',
    width: '84px',
    minTableWidthPx: 760,
    cell: ({ program }) => program,
  },
  {
    key: 'checksum',
    title: 'SHA-256',
    width: 'minmax(100px, 1.5fr)',
    minTableWidthPx: 620,
    cell: ({ checksum }) => (
      <span className={styles.checksum} title={checksum}>
        {checksum}
      </span>
    ),
  },
];

interface BackupListProps {
  backups: readonly PortalBackup[];
  /** What makes another one. */
  action: ReactNode;
}

/** The backups that are there, and what can be done with each. */
export function BackupList({ backups, action }: BackupListProps) {
  const [restored, setRestored] = useState<PortalBackup | null>(null);
  const columns = [
    ...COLUMNS,
    {
      key: 'actions',
      title: 'Actions',
      width: '224px',
      align: 'end' as const,
      cell: (backup: PortalBackup) => <Actions backup={backup} onRestore={setRestored} />,
    },
  ];
  return (
    <TableSection
      title="Backups"
      text="The whole database of the portal, each in one file."
      count={backups.length}
      action={action}
    >
      <DataTable
        label="Backups"
        what="the backups"
        columns={columns}
        pages={wholeList(backups)}
        rowId={({ name }) => name}
        empty={<EmptyState title="No backups yet" text="Make one now, or let one be made every day." />}
      />
      <Suspense fallback={null}>
        {restored !== null && <RestoreDialog backup={restored} onClose={() => setRestored(null)} />}
      </Suspense>
    </TableSection>
  );
}

function Actions({ backup, onRestore }: { backup: PortalBackup; onRestore: (backup: PortalBackup) => void }) {
  const save = useSaveBackup();
  const remove = useDeleteBackup();
  const { confirm, dialog } = useConfirm();
  const made = formatDateTime(backup.createdAt);
  const ask = async () => {
    const text = 'Its file is deleted from the portal’s machine. This cannot be undone.';
    const question = { title: `Delete the backup of ${made}?`, text, confirmLabel: 'Delete backup', isDanger: true };
    if (await confirm(question)) remove.mutate(backup);
  };
  return (
    <span className={styles.actions}>
      <LineButton
        label={`Download the backup of ${made}`}
        isPending={save.isPending}
        onClick={() => save.mutate(backup)}
      >
        Download
      </LineButton>
      <LineButton label={`Restore the backup of ${made}`} isPending={false} onClick={() => onRestore(backup)}>
        Restore
      </LineButton>
      <LineButton label={`Delete the backup of ${made}`} isPending={remove.isPending} onClick={() => void ask()}>
        Delete
      </LineButton>
      {dialog}
    </span>
  );
}
