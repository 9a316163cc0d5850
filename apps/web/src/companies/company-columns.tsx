import type { CompanyRow, listCompanies } from '@keepwatch/contract/companies/companies';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { companyPage } from '../entities/places.ts';
import type { Column } from '../kit/data-table/column.ts';
import { BackupTime } from '../kit/format/backup-time.tsx';
import { formatBytes, formatCount } from '../kit/format/numbers.ts';
import { ScreenLink } from '../kit/screen-link.tsx';
import styles from './companies.module.css';

type CompanyColumn = Column<CompanyRow, SortOf<typeof listCompanies>>;

type Trouble = 'failed' | 'warning' | 'missed';

/** The key facts of every company at a glance. Narrow tables still show the problems. */
export const COMPANY_COLUMNS: readonly CompanyColumn[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(160px, 3fr)',
    sort: 'name',
    // A link, so that it opens beside the list, too; the keys of the table lead there without it.
    cell: ({ _id: id, name, isActive }) => (
      <ScreenLink className={styles.name} to={companyPage.at({ id })} title={name} tabIndex={-1}>
        {name}
        {!isActive && <span className={styles.muted}> (inactive)</span>}
      </ScreenLink>
    ),
  },
  { ...countColumn('jobs', 'Jobs', (row) => row.jobs), minTableWidthPx: 370 },
  countColumn('failed', 'Failed', (row) => row.failed, 'failed'),
  {
    ...countColumn('warning', 'Warning', (row) => row.warning, 'warning'),
    width: 'minmax(100px, 0.6fr)',
    minTableWidthPx: 740,
  },
  {
    ...countColumn('didntRun', "Didn't run", (row) => row.didntRun, 'missed'),
    width: 'minmax(108px, 0.6fr)',
    minTableWidthPx: 740,
  },
  {
    ...countColumn('doubtful', 'Doubtful', (row) => row.doubtful, 'warning'),
    hint: 'Jobs whose last run is reported as a success, but is unusual',
    width: 'minmax(100px, 0.6fr)',
    minTableWidthPx: 1_080,
  },
  {
    ...countColumn('pending', 'Pending (30 days)', (row) => row.pending),
    hint: 'Runs in the last 30 days to review',
    width: 'minmax(156px, 0.6fr)',
    minTableWidthPx: 560,
  },
  {
    key: 'lastRunAt',
    title: 'Last run',
    width: 'minmax(150px, 1fr)',
    sort: 'lastRunAt',
    minTableWidthPx: 980,
    cell: ({ lastRunAt }) =>
      lastRunAt === null ? <span className={styles.muted}>never</span> : <BackupTime at={lastRunAt} />,
  },
  {
    key: 'backupSizeBytes',
    title: 'Size',
    width: 'minmax(90px, 0.7fr)',
    align: 'end',
    sort: 'backupSizeBytes',
    minTableWidthPx: 830,
    cell: ({ backupSizeBytes }) => formatBytes(backupSizeBytes),
  },
  {
    key: 'isManaged',
    title: 'Managed',
    width: 'minmax(80px, 0.5fr)',
    minTableWidthPx: 1_160,
    cell: ({ isManaged }) => (isManaged ? 'Yes' : <span className={styles.muted}>No</span>),
  },
];

function countColumn(
  key: SortOf<typeof listCompanies>,
  title: string,
  count: (row: CompanyRow) => number,
  tone?: Trouble,
): CompanyColumn {
  return {
    key,
    title,
    width: 'minmax(88px, 0.6fr)',
    align: 'end',
    sort: key,
    cell: (row) => (
      <span className={styles.count} data-tone={count(row) === 0 ? 'none' : tone}>
        {formatCount(count(row))}
      </span>
    ),
  };
}
