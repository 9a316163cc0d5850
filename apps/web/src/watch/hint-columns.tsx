import type { Hint, listHints } from '@keepwatch/contract/watch/hints';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Column } from '../kit/data-table/column.ts';
import { formatDateTime } from '../kit/format/dates.ts';
import { conditionText } from './condition-text.ts';
import styles from './hints.module.css';

/** What a hint is about, and for which runs. On a phone its title alone. */
export const HINT_COLUMNS: readonly Column<Hint, SortOf<typeof listHints>>[] = [
  {
    key: 'title',
    title: 'Title',
    width: 'minmax(160px, 2fr)',
    sort: 'title',
    cell: ({ title, isActive }) => (
      <span title={title}>
        {title}
        {!isActive && <span className={styles.muted}> (off)</span>}
      </span>
    ),
  },
  {
    key: 'condition',
    title: 'Shown for runs with',
    width: 'minmax(180px, 3fr)',
    minTableWidthPx: 420,
    cell: (hint) => <span title={conditionText(hint)}>{conditionText(hint)}</span>,
  },
  {
    key: 'updatedAt',
    title: 'Changed',
    width: 'minmax(150px, 1fr)',
    sort: 'updatedAt',
    minTableWidthPx: 700,
    cell: ({ updatedAt }) => formatDateTime(updatedAt),
  },
];
