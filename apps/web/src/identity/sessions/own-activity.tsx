import type { UserLog } from '@keepwatch/contract/audit/user-logs';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { TableSection } from '../../kit/list/list-section.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { useOwnLogs } from './sessions.data.ts';

const COLUMNS: readonly Column<UserLog>[] = [
  { key: 'at', title: 'When', width: 'minmax(136px, 160px)', cell: ({ at }) => formatDateTime(at) },
  { key: 'action', title: 'Action', width: 'minmax(120px, 1.5fr)', cell: ({ actionText }) => actionText },
  {
    key: 'by',
    title: 'By',
    width: 'minmax(90px, 1fr)',
    cell: (entry) => <span title={byText(entry)}>{byText(entry)}</span>,
  },
  {
    key: 'target',
    title: 'Target',
    width: 'minmax(110px, 1.5fr)',
    minTableWidthPx: 620,
    cell: ({ targetName }) => targetName ?? '–',
  },
  {
    key: 'address',
    title: 'Address',
    width: 'minmax(110px, 1fr)',
    minTableWidthPx: 760,
    cell: ({ address }) => address ?? '–',
  },
];

/** Who used the account: the user, a program of the user, or an administrator. */
function byText({ username, asUserId, apiKey }: UserLog): string {
  if (asUserId !== null) return `${username}, as you`;
  return apiKey === null ? 'You' : `API key ${apiKey}`;
}

/** What was done with the account. */
export function OwnActivity() {
  const pages = useOwnLogs();
  return (
    <TableSection title="Activity" text="What was done with your account, also by administrators." count={pages.count}>
      <DataTable
        label="Activity"
        what="your activity"
        columns={COLUMNS}
        pages={pages}
        rowId={(entry) => entry._id}
        empty={<EmptyState title="Nothing yet" text="What you do is listed here." />}
      />
    </TableSection>
  );
}
