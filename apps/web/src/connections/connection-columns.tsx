import type { Connection } from '@keepwatch/contract/connections/connections';
import { HealthBadge } from '../entities/connection/health-badge.tsx';
import type { Column, CompactRows } from '../kit/data-table/column.ts';
import { formatDateTime } from '../kit/format/dates.ts';
import styles from './connectors.module.css';
import { usedBy } from './used-by.ts';

type ConnectionColumn = Column<Connection>;

export const CONNECTION_COLUMNS: readonly ConnectionColumn[] = [
  { key: 'name', title: 'Name', width: 'minmax(150px, 2fr)', cell: ({ name }) => <span title={name}>{name}</span> },
  { key: 'label', title: 'System', width: 'minmax(150px, 1.6fr)', minTableWidthPx: 700, cell: ({ label }) => label },
  {
    key: 'purpose',
    title: 'Used for',
    width: 'minmax(120px, 1fr)',
    minTableWidthPx: 560,
    cell: ({ purpose }) => purpose,
  },
  {
    key: 'health',
    title: 'Health',
    width: 'minmax(130px, 0.8fr)',
    cell: (connection) => <HealthBadge connection={connection} />,
  },
  {
    key: 'since',
    title: 'Since',
    width: 'minmax(150px, 0.9fr)',
    minTableWidthPx: 1_100,
    cell: ({ health }) => formatDateTime(health?.since ?? null),
  },
  {
    key: 'reason',
    title: 'Message',
    width: 'minmax(180px, 2.4fr)',
    minTableWidthPx: 900,
    cell: ({ health }) => <span title={health?.message}>{health?.message ?? ''}</span>,
  },
  {
    key: 'checkedAt',
    title: 'Last check',
    width: 'minmax(150px, 0.9fr)',
    minTableWidthPx: 1_250,
    cell: ({ health }) => formatDateTime(health?.checkedAt ?? null),
  },
  {
    key: 'usedBy',
    title: 'Used by',
    width: 'minmax(110px, 0.7fr)',
    minTableWidthPx: 1_000,
    cell: (connection) => usedBy(connection) ?? <span className={styles.muted}>–</span>,
  },
];

/** On a phone: what it is below its name. */
export const COMPACT_CONNECTIONS: CompactRows<Connection> = {
  belowPx: 480,
  rowHeightPx: 64,
  headings: [],
  cell: (connection) => (
    <span className={styles.compact}>
      <strong>{connection.name}</strong>
      <span className={styles.muted}>
        {connection.label} · {connection.purpose}
      </span>
      <HealthBadge connection={connection} />
    </span>
  ),
};
