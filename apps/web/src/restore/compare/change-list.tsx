import type { ComparedItem } from '@keepwatch/contract/restore/versions';
import type { Column } from '../../kit/data-table/column.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import type { Pages } from '../../kit/data-table/pages.ts';
import type { Selection } from '../../kit/data-table/selection.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { keyOf } from '../explorer/entry.ts';
import { EntryName } from '../explorer/entry-name.tsx';
import type { Change } from './comparison.data.ts';

interface ChangeListProps {
  pages: Pages<Change>;
  selection: Selection;
  openKey: string | null;
  onOpen: (change: Change) => void;
}

const COLUMNS: readonly Column<Change>[] = [
  { key: 'change', title: 'Change', width: '150px', cell: ({ item }) => changeText(item) },
  { key: 'name', title: 'Name', width: 'minmax(180px, 3fr)', cell: ({ entry }) => <EntryName entry={entry} /> },
  { key: 'place', title: 'In', width: 'minmax(130px, 2fr)', minTableWidthPx: 620, cell: placeOf },
  {
    key: 'date',
    title: 'Date',
    width: '150px',
    minTableWidthPx: 720,
    cell: ({ entry }) => (entry.date === null ? '' : formatDateTime(entry.date)),
  },
  { key: 'size', title: 'Size', width: '150px', align: 'end', minTableWidthPx: 560, cell: sizeText },
];

const COMPACT = {
  belowPx: 560,
  rowHeightPx: 52,
  headings: [],
  cell: ({ entry, item }: Change) => <EntryName entry={{ ...entry, from: changeText(item) }} isCompact />,
};

/** What differs between two restore points. */
export function ChangeList({ pages, selection, openKey, onOpen }: ChangeListProps) {
  return (
    <DataTable
      label="Changes"
      what="the changes"
      columns={COLUMNS}
      compact={COMPACT}
      pages={pages}
      rowId={({ entry }) => keyOf(entry)}
      rowName={({ entry }) => entry.name}
      rowsWord="changes"
      selection={selection}
      onOpen={onOpen}
      openId={openKey}
      empty={<EmptyState title="No difference" text="Both restore points have the same here." />}
    />
  );
}

const WORDS = { appeared: 'Appeared', changed: 'Changed', vanished: 'Vanished' } as const;

/** `Moved`, `Renamed` say more than that it changed. */
export function changeText({ change, name, path, before }: ComparedItem): string {
  if (change !== 'changed' || before === null) return WORDS[change];
  const isMoved = path.join('/') !== before.path.join('/');
  const isRenamed = name !== before.name;
  if (isMoved) return isRenamed ? 'Moved and renamed' : 'Moved';
  return isRenamed ? `Renamed from ${before.name}` : WORDS.changed;
}

/** A mailbox, OneDrive, site or team is in nothing. */
function placeOf({ entry, item: { objectName, path } }: Change): string {
  if (entry.itemId === null) return '';
  return [objectName, ...path].join(' / ');
}

function sizeText({ entry, item: { before } }: Change): string {
  if (entry.sizeBytes === null) return '';
  const now = formatBytes(entry.sizeBytes);
  return before === null || before.sizeBytes === entry.sizeBytes ? now : `${formatBytes(before.sizeBytes)} → ${now}`;
}
