import type { IntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { Button } from '@mantine/core';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { styleVariables } from '../../kit/style-variables.ts';
import styles from '../sources.module.css';
import { useIntakeTokens } from './intake-tokens.data.ts';
import { RevokeToken } from './revoke-token.tsx';

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

const LEAST_PX = 190;
const MOST_PX = 330;
const LINE_PX = 44;

/** As many lines as there are tokens, up to where the list scrolls. */
function heightOf(count: number): number {
  return count === 0 ? LEAST_PX : Math.min(MOST_PX, (count + 1) * LINE_PX);
}

/** Tokens with which tools report that are in no console. */
export function IntakeTokens({ onCreate }: { onCreate: () => void }) {
  const pages = useIntakeTokens();
  return (
    <section className={styles.section} aria-label="Intake tokens">
      <header className={styles.head}>
        <h2>Intake tokens</h2>
        <p>Let restic, borg or any script report its backups with one extra line.</p>
        <Button variant="default" onClick={onCreate}>
          Create a token
        </Button>
      </header>
      <div className={styles.tokens} style={styleVariables({ '--tokens': `${heightOf(pages.count ?? 3)}px` })}>
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
      </div>
    </section>
  );
}
