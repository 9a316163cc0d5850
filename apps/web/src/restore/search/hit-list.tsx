import { useMemo } from 'react';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { loadedRows, type Pages } from '../../kit/data-table/pages.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { keyOf } from '../explorer/entry.ts';
import { EntryName } from '../explorer/entry-name.tsx';
import styles from '../explorer/explorer.module.css';
import type { Tray } from '../explorer/use-tray.ts';
import type { Hit } from './search.data.ts';

interface HitListProps {
  pages: Pages<Hit>;
  tray: Tray;
  openKey: string | null;
  onOpen: (hit: Hit) => void;
}

const COLUMNS: readonly Column<Hit>[] = [
  { key: 'name', title: 'Name', width: 'minmax(180px, 3fr)', cell: ({ entry }) => <EntryName entry={entry} /> },
  {
    key: 'place',
    title: 'In',
    width: 'minmax(150px, 2fr)',
    minTableWidthPx: 720,
    cell: ({ found }) => <span title={placeOf(found)}>{placeOf(found)}</span>,
  },
  { key: 'from', title: 'From', width: 'minmax(100px, 1fr)', minTableWidthPx: 780, cell: ({ entry }) => entry.from },
  {
    key: 'date',
    title: 'Date',
    width: '150px',
    cell: ({ entry }) => (entry.date === null ? '' : formatDateTime(entry.date)),
  },
  {
    key: 'size',
    title: 'Size',
    width: '84px',
    align: 'end',
    minTableWidthPx: 900,
    cell: ({ entry }) => formatBytes(entry.sizeBytes),
  },
  {
    key: 'ended',
    title: 'Existed until',
    width: '150px',
    cell: ({ found: { endedAt } }) =>
      endedAt === null ? <span className={styles.detail}>Still there</span> : formatDateTime(endedAt),
  },
];

const COMPACT = {
  belowPx: 560,
  rowHeightPx: 52,
  headings: [],
  cell: ({ entry }: Hit) => <EntryName entry={entry} isCompact />,
};

/** What a search found, with when each item was last there. */
export function HitList({ pages, tray, openKey, onOpen }: HitListProps) {
  const selection = useMemo(() => {
    const loaded = new Map(loadedRows(pages).map(({ entry }) => [keyOf(entry), entry]));
    return tray.selectionIn((key) => loaded.get(key));
  }, [tray, pages]);
  return (
    <DataTable
      label="Search results"
      what="the search results"
      columns={COLUMNS}
      compact={COMPACT}
      pages={pages}
      rowId={({ entry }) => keyOf(entry)}
      rowName={({ entry }) => entry.name}
      rowsWord="results"
      selection={selection}
      onOpen={onOpen}
      openId={openKey}
      empty={
        <EmptyState
          title="Nothing found"
          text="Nothing matches these words and filters. Use fewer of them, or search over all time."
        />
      }
    />
  );
}

function placeOf({ objectName, path }: Hit['found']): string {
  return [objectName, ...path].join(' / ');
}
