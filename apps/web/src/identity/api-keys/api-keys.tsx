import type { ApiKey } from '@keepwatch/contract/identity/api-keys';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { TableSection } from '../../kit/list/list-section.tsx';
import { useClock, useSession } from '../../kit/portal.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { abilityText } from './ability-text.ts';
import { useApiKeys } from './api-keys.data.ts';
import { RevokeKey } from './revoke-key.tsx';

const KeyDialog = lazy(() => import('./key-dialog.tsx'));

const COLUMNS: readonly Column<ApiKey>[] = [
  { key: 'name', title: 'Name', width: 'minmax(100px, 1.5fr)', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    key: 'abilities',
    title: 'Abilities',
    width: 'minmax(120px, 2fr)',
    minTableWidthPx: 560,
    cell: (key) => <span title={abilitiesText(key)}>{abilitiesText(key)}</span>,
  },
  {
    key: 'lastAt',
    title: 'Last used',
    width: '160px',
    minTableWidthPx: 760,
    cell: ({ lastAt, lastAddress }) => (
      <span title={lastAddress ?? undefined}>{lastAt === null ? 'never' : formatDateTime(lastAt)}</span>
    ),
  },
  { key: 'expiresAt', title: 'Expires', width: '160px', cell: (key) => <Expiry apiKey={key} /> },
  { key: 'actions', title: 'Actions', width: '92px', align: 'end', cell: (key) => <RevokeKey apiKey={key} /> },
];

function abilitiesText({ abilities }: ApiKey): string {
  return abilities.map(abilityText).join(', ');
}

function Expiry({ apiKey: { expiresAt } }: { apiKey: ApiKey }) {
  const isOver = Date.parse(expiresAt) <= useClock().now().getTime();
  return isOver ? 'Expired' : formatDateTime(expiresAt);
}

/** Keys with which programs of the user call the portal. */
export function ApiKeys() {
  const pages = useApiKeys();
  const [isCreating, setCreating] = useState(false);
  // Only the user makes and revokes keys, not an administrator who acts as that user.
  const isOwn = useSession()?.own === undefined;
  return (
    <TableSection
      title="API keys"
      text="With a key your own programs make the calls of this portal, for some of what you may do."
      count={pages.count}
      action={
        isOwn && (
          <Button variant="default" onClick={() => setCreating(true)}>
            Create a key
          </Button>
        )
      }
    >
      <DataTable
        label="API keys"
        what="your API keys"
        columns={isOwn ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'actions')}
        pages={pages}
        rowId={(key) => key._id}
        empty={<EmptyState title="No API keys" text="Create one for a script that reads reports or adds companies." />}
      />
      <Suspense fallback={null}>{isCreating && <KeyDialog onClose={() => setCreating(false)} />}</Suspense>
    </TableSection>
  );
}
