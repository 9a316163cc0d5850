import type { IntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { Button } from '@mantine/core';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { TableSection } from '../../kit/list/list-section.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { useIntakeTokens } from './intake-tokens.data.ts';
import { RemoveTestRuns, RevokeToken } from './revoke-token.tsx';

const COLUMNS: readonly Column<IntakeToken>[] = [
  { key: 'name', title: 'Name', width: 'minmax(100px, 2fr)', cell: ({ name }) => <span title={name}>{name}</span> },
  { key: 'companyName', title: 'Company', width: 'minmax(100px, 2fr)', cell: ({ companyName }) => companyName },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    width: 'minmax(150px, 1fr)',
    minTableWidthPx: 620,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : formatDateTime(lastUsedAt)),
  },
  {
    key: 'createdAt',
    title: 'Created',
    width: 'minmax(150px, 1fr)',
    minTableWidthPx: 780,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  {
    key: 'actions',
    title: 'Actions',
    width: 'minmax(92px, auto)',
    align: 'end',
    cell: (token) => (
      <>
        {token.hasTestRun && <RemoveTestRuns token={token} />}
        <RevokeToken token={token} />
      </>
    ),
  },
];

/** Consoles are above it. */
const MOST_PX = 330;

/** Tokens with which tools report that are in no console. */
export function IntakeTokens({ onCreate }: { onCreate: () => void }) {
  const pages = useIntakeTokens();
  return (
    <TableSection
      title="Intake tokens"
      text="Let restic, borg or any script report its backups with one extra line."
      count={pages.count}
      mostPx={MOST_PX}
      action={
        <Button variant="default" onClick={onCreate}>
          Create a token
        </Button>
      }
    >
      <DataTable
        label="Intake tokens"
        what="the tokens"
        columns={COLUMNS}
        pages={pages}
        rowId={(token) => token._id}
        empty={
          <EmptyState
            title="No tools report yet"
            text="Create a token, then add the command to the backup's cron job."
          />
        }
      />
    </TableSection>
  );
}
