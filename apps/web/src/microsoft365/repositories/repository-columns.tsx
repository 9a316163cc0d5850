import type { Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import type { Column, CompactRows } from '../../kit/data-table/column.ts';
import { formatBytes, formatCount } from '../../kit/format/numbers.ts';
import styles from '../microsoft365.module.css';
import { retentionText } from './repository-words.ts';
import { UsageBar } from './usage-bar.tsx';

export const REPOSITORY_COLUMNS: readonly Column<Microsoft365Repository>[] = [
  { key: 'name', title: 'Name', width: 'minmax(140px, 2fr)', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    key: 'organization',
    title: 'Organization',
    width: 'minmax(130px, 1.5fr)',
    minTableWidthPx: 560,
    cell: ({ organizationName }) => organizationName,
  },
  {
    key: 'place',
    title: 'Place',
    width: 'minmax(150px, 2fr)',
    minTableWidthPx: 1_000,
    cell: ({ path }) => <span title={path}>{path}</span>,
  },
  {
    key: 'used',
    title: 'Used',
    width: '90px',
    align: 'end',
    cell: ({ usedBytes }) => formatBytes(usedBytes),
  },
  {
    key: 'full',
    title: 'Capacity',
    width: 'minmax(120px, 1fr)',
    minTableWidthPx: 820,
    cell: (repository) => <UsageBar repository={repository} />,
  },
  {
    key: 'retention',
    title: 'Retention',
    width: '110px',
    cell: ({ retentionPolicy }) => retentionText(retentionPolicy),
  },
  {
    key: 'jobs',
    title: 'Jobs',
    width: '60px',
    align: 'end',
    minTableWidthPx: 700,
    cell: ({ jobCount }) => formatCount(jobCount),
  },
];

/** On a phone: whose it is and how much is in it, below its name. */
export const COMPACT_REPOSITORIES: CompactRows<Microsoft365Repository> = {
  belowPx: 480,
  rowHeightPx: 64,
  headings: [],
  cell: ({ name, organizationName, usedBytes, retentionPolicy }) => (
    <span className={styles.compact}>
      <strong>{name}</strong>
      <span className={styles.muted}>{organizationName}</span>
      <span>
        {formatBytes(usedBytes)} · {retentionText(retentionPolicy)}
      </span>
    </span>
  ),
};
