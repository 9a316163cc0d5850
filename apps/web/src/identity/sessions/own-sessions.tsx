import type { OwnSession } from '@keepwatch/contract/identity/own-sessions';
import { Button } from '@mantine/core';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { LineButton } from '../../kit/data-table/line-button.tsx';
import { loadedRows } from '../../kit/data-table/pages.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { TableSection } from '../../kit/list/list-section.tsx';
import { useSession } from '../../kit/portal.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { useOwnSessions, useRevokeOthers, useRevokeSession } from './sessions.data.ts';

const COLUMNS: readonly Column<OwnSession>[] = [
  {
    key: 'device',
    title: 'Device',
    width: 'minmax(130px, 2fr)',
    cell: (session) => <span title={deviceText(session)}>{deviceText(session)}</span>,
  },
  {
    key: 'address',
    title: 'Address',
    width: 'minmax(110px, 1fr)',
    minTableWidthPx: 480,
    cell: ({ address }) => address ?? '–',
  },
  {
    key: 'createdAt',
    title: 'Signed in',
    width: '160px',
    minTableWidthPx: 760,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  {
    key: 'lastAt',
    title: 'Last used',
    width: '160px',
    minTableWidthPx: 620,
    cell: ({ lastAt }) => formatDateTime(lastAt),
  },
  { key: 'actions', title: 'Actions', width: '104px', align: 'end', cell: (session) => <End session={session} /> },
];

/** `Firefox on Windows`, or who acts as the user. */
function deviceText({ device, impersonator }: OwnSession): string {
  const name = device ?? 'Unknown device';
  return impersonator === null ? name : `${impersonator}, signed in as you (${name})`;
}

/** Where the user is signed in, and the way to end that. */
export function OwnSessions() {
  const pages = useOwnSessions();
  const others = useRevokeOthers();
  const isAlone = loadedRows(pages).length < 2;
  // Only the user ends sessions, not an administrator who acts as that user.
  const isOwn = useSession()?.own === undefined;
  return (
    <TableSection
      title="Sessions"
      text="Where you are signed in."
      count={pages.count}
      action={
        isOwn && (
          <Button variant="default" disabled={isAlone} loading={others.isPending} onClick={() => others.mutate()}>
            End all others
          </Button>
        )
      }
    >
      <DataTable
        label="Sessions"
        what="your sessions"
        columns={isOwn ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'actions')}
        pages={pages}
        rowId={(session) => session._id}
        empty={<EmptyState title="No session" text="Sign in again to see it here." />}
      />
    </TableSection>
  );
}

function End({ session }: { session: OwnSession }) {
  const { mutate, isPending } = useRevokeSession();
  if (session.isThis) return 'This one';
  return (
    <LineButton label={`End ${deviceText(session)}`} isPending={isPending} onClick={() => mutate(session._id)}>
      End
    </LineButton>
  );
}
