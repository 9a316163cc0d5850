import { useMemo } from 'react';
import type { Sort } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import type { Pages } from '../../kit/data-table/pages.ts';
import { loadedRows } from '../../kit/data-table/pages.ts';
import { capital } from '../../kit/format/words.ts';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import type { EntrySort, RestoreApplication } from './application.ts';
import { type Entry, hasFixedNodes, keyOf } from './entry.ts';
import { EntryName } from './entry-name.tsx';
import { columnsOf, isSortable } from './list-columns.tsx';
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
  // Its own columns for each type, not for each node.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of a node nothing but its type is looked at
  const columns = useMemo(() => columnsOf(application, node), [application, node?.type]);
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
      {...(isSortable(node) ? { sort } : {})}
      onSort={(next: Sort<'name' | 'date' | 'size'>) => onSort(next)}
      {...(hasFixedNodes(node) ? {} : { selection })}
      onOpen={onOpen}
      openId={openKey}
      empty={<EmptyState {...emptyWords(application, node)} />}
    />
  );
}

const COMPACT = {
  belowPx: 560,
  rowHeightPx: 52,
  headings: ['name', 'date'],
  cell: (entry: Entry) => <EntryName entry={entry} isCompact />,
};

function emptyWords({ objects }: RestoreApplication, node: Entry | null): { title: string; text: string } {
  if (node === null)
    return {
      title: `No ${objects.many}`,
      text: 'This restore point has none of that name. Choose another restore point or name.',
    };
  if (node.type === 'settings')
    return {
      title: 'Restored as a whole',
      text: 'Rules, categories, automatic replies and calendar permissions have no list. Select these settings to restore them.',
    };
  if (node.type === 'chats')
    return {
      title: 'No chats',
      text: 'This person had no chats at this restore point. Show deleted, or choose another.',
    };
  return {
    title: 'Nothing here',
    text: `${node.name} was empty at this restore point. Show deleted, or choose another point.`,
  };
}
