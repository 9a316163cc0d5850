import type { IntakeToken } from '@keepwatch/contract/monitoring/sources';
import { Button } from '@mantine/core';
import type { Column } from '../kit/data-table/column.ts';
import { DataTable } from '../kit/data-table/data-table.tsx';
import { formatDateTime } from '../kit/format/dates.ts';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { useIntakeTokens } from './intake-tokens.data.ts';
import { RevokeToken } from './revoke-token.tsx';
import styles from './sources.module.css';

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
  { key: 'actions', title: 'Actions', width: '92px', align: 'end', cell: (token) => <RevokeToken token={token} /> },
];

/** Tokens with which tools report that are in no console. */
export function IntakeTokens({ onCreate }: { onCreate: () => void }) {
  const pages = useIntakeTokens();
  return (
    <section className={styles.section} aria-label="Intake tokens">
      <header className={styles.head}>
        <h2>Intake tokens</h2>
        <p>For restic, borg and anything else that cron starts: one line more, and it reports here.</p>
        <Button variant="default" onClick={onCreate}>
          Create a token
        </Button>
      </header>
      <div className={styles.tokens}>
        <DataTable
          label="Intake tokens"
          columns={COLUMNS}
          pages={pages}
          rowId={(token) => token._id}
          empty={
            <EmptyState
              title="No tool reports by itself"
              text="Create a token for a company, and add the line you are given to the cron job of its backup."
            />
          }
        />
      </div>
    </section>
  );
}
