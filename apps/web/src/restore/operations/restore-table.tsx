import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { SidePanel } from '../../kit/list/side-panel.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { useProgress } from '../downloads/use-progress.ts';
import { OperationReport } from './operation-report.tsx';
import { progressText, STATE_TONES } from './operation-words.ts';
import { hasEnded, useOperation, useOperationList } from './operations.data.ts';

const COLUMNS: readonly Column<RestoreOperation>[] = [
  {
    key: 'name',
    title: 'What',
    width: 'minmax(180px, 3fr)',
    cell: ({ name, isPlan }) => (isPlan ? `${name} (plan)` : name),
  },
  { key: 'target', title: 'To', width: 'minmax(120px, 2fr)', minTableWidthPx: 700, cell: ({ target }) => target },
  { key: 'state', title: 'State', width: 'minmax(130px, 1fr)', cell: (operation) => <State operation={operation} /> },
  { key: 'created', title: 'Begun', width: '150px', cell: ({ createdAt }) => formatDateTime(createdAt) },
];

function State({ operation }: { operation: RestoreOperation }) {
  const { state, done, total } = operation;
  const ratio = hasEnded(operation) ? 1 : total === null || total === 0 ? null : done / total;
  return (
    <ProgressBar ratio={ratio} tone={STATE_TONES[state]} text={hasEnded(operation) ? state : progressText(operation)} />
  );
}

/** Restores and plans of the user, newest first. */
export function RestoreTable({ openId, onOpen }: { openId: string; onOpen: (operation: RestoreOperation) => void }) {
  const pages = useOperationList();
  useProgress(pages, (operation) => !hasEnded(operation));
  return (
    <DataTable
      label="Restores"
      what="the restores"
      columns={COLUMNS}
      pages={pages}
      rowId={({ id }) => id}
      rowsWord="restores"
      onOpen={onOpen}
      openId={openId || null}
      empty={
        <EmptyState title="No restores" text="Restores that you begin in an explorer appear here with their reports." />
      }
    />
  );
}

/** One restore with its report. */
export function OperationPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useOperation(id);
  return (
    <SidePanel noun="restore" read={read} titleOf={({ name }) => name} onClose={onClose}>
      {(operation) => <OperationReport operations={[operation]} />}
    </SidePanel>
  );
}
