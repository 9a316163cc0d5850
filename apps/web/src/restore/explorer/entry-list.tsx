import { useMemo } from 'react';
import type { Column, Sort } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import type { Pages } from '../../kit/data-table/pages.ts';
import { loadedRows } from '../../kit/data-table/pages.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import type { EntrySort, RestoreApplication } from './application.ts';
import { type Entry, isContainer, keyOf } from './entry.ts';
import { EntryName } from './entry-name.tsx';
import type { Tray } from './use-tray.ts';

interface EntryListProps {
  application: RestoreApplication;
  /** What it lists the content of, `null` at the top. */
  node: Entry | null;
  pages: Pages<Entry>;
  tray: Tray;
  sort: EntrySort;
  onSort: (sort: EntrySort) => void;
  openKey: string | null;
  onOpen: (entry: Entry) => void;
}

/** What is in a node: folders first, then items. */
export function EntryList(props: EntryListProps) {
  const { application, node, pages, tray, sort, onSort, openKey, onOpen } = props;
  const isTop = node === null;
  const columns = useMemo(() => columnsOf(application, isTop), [application, isTop]);
  const selection = useMemo(() => {
    const loaded = new Map(loadedRows(pages).map((entry) => [keyOf(entry), entry]));
    return tray.selectionIn((key) => loaded.get(key));
  }, [tray, pages]);
  return (
    <DataTable<Entry, 'name' | 'date' | 'size'>
      label={node === null ? capital(application.objects.many) : `In ${node.name}`}
      what={node === null ? `the ${application.objects.many}` : `what is in ${node.name}`}
      columns={columns}
      compact={COMPACT}
      pages={pages}
      rowId={keyOf}
      rowName={({ name }) => name}
      rowsWord="entries"
      sort={sort}
      onSort={(next: Sort<'name' | 'date' | 'size'>) => onSort(next)}
      selection={selection}
      onOpen={onOpen}
      openId={openKey}
      empty={<EmptyState {...emptyWords(application, node)} />}
    />
  );
}

type EntryColumn = Column<Entry, 'name' | 'date' | 'size'>;

const COMPACT = {
  belowPx: 560,
  rowHeightPx: 52,
  headings: ['name', 'date'],
  cell: (entry: Entry) => <EntryName entry={entry} isCompact />,
};

/** At the top are mailboxes, OneDrives, sites or teams: they have names alone. */
function columnsOf({ fromTitle, dateTitle }: RestoreApplication, isTop: boolean): readonly EntryColumn[] {
  const name: EntryColumn = {
    key: 'name',
    title: 'Name',
    width: 'minmax(200px, 3fr)',
    sort: 'name',
    cell: (entry) => <EntryName entry={entry} />,
  };
  if (isTop) return [name];
  return [
    name,
    { key: 'from', title: fromTitle, width: 'minmax(110px, 1fr)', minTableWidthPx: 640, cell: ({ from }) => from },
    {
      key: 'date',
      title: dateTitle,
      width: '150px',
      sort: 'date',
      cell: ({ date }) => (date === null ? '' : formatDateTime(date)),
    },
    {
      key: 'size',
      title: 'Size',
      width: '84px',
      align: 'end',
      sort: 'size',
      minTableWidthPx: 560,
      cell: (entry) => (isContainer(entry) || entry.sizeBytes === null ? '' : formatBytes(entry.sizeBytes)),
    },
  ];
}

function emptyWords({ objects }: RestoreApplication, node: Entry | null): { title: string; text: string } {
  if (node === null)
    return {
      title: `No ${objects.many}`,
      text: 'This restore point has none of that name. Choose another restore point or name.',
    };
  return {
    title: 'Nothing here',
    text: `${node.name} was empty at this restore point. Show deleted, or choose another point.`,
  };
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
