import type { Column } from '../../kit/data-table/column.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import type { RestoreApplication } from './application.ts';
import { CONTAINER_TYPES, type ContainerType, type Entry, isContainer } from './entry.ts';
import { EntryName } from './entry-name.tsx';

type EntryColumn = Column<Entry, 'name' | 'date' | 'size'>;

/** What is known of the rows of a list, by what it is a list of. */
type Content = 'objects' | 'nodes' | 'mail' | 'dated' | 'files' | 'messages';

const CONTENT: Readonly<Record<ContainerType, Content>> = {
  mailbox: 'nodes',
  'mail-folder': 'mail',
  calendar: 'dated',
  'contact-folder': 'dated',
  'task-list': 'dated',
  settings: 'nodes',
  onedrive: 'files',
  folder: 'files',
  site: 'nodes',
  subsites: 'objects',
  content: 'objects',
  library: 'files',
  list: 'files',
  pages: 'files',
  team: 'nodes',
  channel: 'nodes',
  posts: 'messages',
  files: 'files',
  tabs: 'objects',
  chats: 'nodes',
  chat: 'messages',
};

function contentOf(node: Entry | null): Content {
  const type = CONTAINER_TYPES.find((known) => known === node?.type);
  return type === undefined ? 'objects' : CONTENT[type];
}

/** Lists that the server orders as asked. All others have an order of their own. */
export function isSortable(node: Entry | null): boolean {
  return ['mail', 'dated', 'files'].includes(contentOf(node));
}

/** The columns of a list: those alone that its rows have something in. */
export function columnsOf(application: RestoreApplication, node: Entry | null): readonly EntryColumn[] {
  const { fromTitle, dateTitle } = application;
  switch (contentOf(node)) {
    case 'objects':
      return [named('Name'), ADDRESS];
    case 'nodes':
      return [nameOf('Name')];
    case 'mail':
      return [
        { ...nameOf('Name'), sort: 'name' },
        from(fromTitle, 500),
        { ...date(dateTitle), sort: 'date' },
        { ...size(640), sort: 'size' },
      ];
    case 'dated':
      return [
        { ...nameOf('Name'), sort: 'name' },
        { ...date(node?.type === 'calendar' ? 'Starts' : 'Modified'), sort: 'date' },
        { ...size(560), sort: 'size' },
      ];
    case 'files':
      return [
        { ...nameOf('Name'), sort: 'name' },
        from(fromTitle, 640),
        { ...date(dateTitle), sort: 'date' },
        { ...size(560), sort: 'size' },
      ];
    case 'messages':
      return [nameOf('Message'), from(fromTitle, 500), date('Sent')];
  }
}

const nameOf = (title: string): EntryColumn => ({
  key: 'name',
  title,
  width: 'minmax(200px, 3fr)',
  cell: (entry) => <EntryName entry={entry} />,
});

/** Beside a column with the address. */
const named = (title: string): EntryColumn => ({
  ...nameOf(title),
  cell: (entry) => <EntryName entry={{ ...entry, detail: null }} />,
});

const ADDRESS: EntryColumn = {
  key: 'address',
  title: 'Address',
  width: 'minmax(160px, 3fr)',
  cell: ({ detail }) => detail !== null && <span title={detail}>{detail}</span>,
};

const from = (title: string, minTableWidthPx: number): EntryColumn => ({
  key: 'from',
  title,
  width: 'minmax(110px, 1fr)',
  minTableWidthPx,
  cell: (entry) => entry.from,
});

const date = (title: string): EntryColumn => ({
  key: 'date',
  title,
  width: '150px',
  cell: (entry) => (entry.date === null ? '' : formatDateTime(entry.date)),
});

const size = (minTableWidthPx: number): EntryColumn => ({
  key: 'size',
  title: 'Size',
  width: '84px',
  align: 'end',
  minTableWidthPx,
  cell: (entry) => (isContainer(entry) || entry.sizeBytes === null ? '' : formatBytes(entry.sizeBytes)),
});
