import { binary, integer } from '../content.ts';
import { nid } from '../sample.ts';
import { type Breakage, cells, properties, put, remove, removeNode, table } from './breakage.ts';

export const storeBreakages: Breakage[] = [
  { rule: 'mandatory-node', what: 'no search activity list', nodes: (nodes) => removeNode(nodes, 0x201) },
  {
    rule: 'mandatory-node',
    what: 'no spam search folder',
    also: ['folder-row'],
    nodes: (nodes) => removeNode(nodes, nid.spam),
  },
  {
    rule: 'mandatory-node',
    what: 'a spam search folder without criteria',
    nodes: (nodes) => removeNode(nodes, nid.spamCriteria),
  },
  { rule: 'later-node', what: 'no outgoing queue table', nodes: (nodes) => removeNode(nodes, 0x64c) },
  {
    rule: 'template-rows',
    what: 'a template with a row',
    nodes: (nodes) => {
      table(nodes, 0x60d).rows.push({ id: 1, version: 1, cells: [] });
    },
  },
  {
    rule: 'template-columns',
    what: 'a template without a column',
    nodes: (nodes) => remove(table(nodes, 0x671).columns, 0x3705),
  },
  {
    rule: 'store-property',
    what: 'a store without a password property',
    nodes: (nodes) => remove(properties(nodes, nid.store), 0x67ff),
  },
  {
    rule: 'store-entry-id',
    what: 'an EntryID of another store',
    nodes: (nodes) => put(properties(nodes, nid.store), binary(0x35e0, Buffer.alloc(24))),
  },
  {
    rule: 'names-bucket-count',
    what: 'no bucket count',
    nodes: (nodes) => remove(properties(nodes, nid.names), 0x0001),
  },
  { rule: 'names-entries', what: 'half an entry', nodes: (nodes) => extend(properties(nodes, nid.names), 0x0003) },
  { rule: 'names-guid', what: 'no GUID stream', nodes: (nodes) => remove(properties(nodes, nid.names), 0x0002) },
  {
    rule: 'names-string',
    what: 'no string stream',
    also: ['names-bucket'],
    nodes: (nodes) => remove(properties(nodes, nid.names), 0x0004),
  },
  {
    rule: 'names-bucket',
    what: 'a name without its record',
    nodes: (nodes) => {
      properties(nodes, nid.names).pop();
    },
  },
  {
    rule: 'names-unknown-property',
    what: 'a named property without a name',
    nodes: (nodes) => put(properties(nodes, nid.rich), integer(0x8005, 1)),
  },
  {
    rule: 'folder-property',
    what: 'a folder without a display name',
    also: ['folder-row-value'],
    nodes: (nodes) => remove(properties(nodes, nid.deleted), 0x3001),
  },
  {
    rule: 'folder-parent',
    what: 'a folder with another parent',
    image: (image) => image.nodeEntry(nid.deleted, (entry) => entry.writeUInt32LE(nid.root, 24)),
  },
  {
    rule: 'folder-parent',
    what: 'a root with a parent',
    image: (image) => image.nodeEntry(nid.root, (entry) => entry.writeUInt32LE(0, 24)),
  },
  {
    rule: 'folder-table-missing',
    what: 'a folder without its associated contents',
    nodes: (nodes) => removeNode(nodes, 0x806f),
  },
  {
    rule: 'folder-columns',
    what: 'a contents table without a column',
    nodes: (nodes) => remove(table(nodes, 0x806e).columns, 0x3013),
  },
  {
    rule: 'folder-content-count',
    what: 'one message too many counted',
    nodes: (nodes) => putInFolderAndRow(nodes, integer(0x3602, 99)),
  },
  {
    rule: 'folder-unread-count',
    what: 'no unread message counted',
    nodes: (nodes) => putInFolderAndRow(nodes, integer(0x3603, 0)),
  },
  {
    rule: 'folder-subfolders',
    what: 'a leaf with subfolders',
    nodes: (nodes) => putInFolderAndRow(nodes, { id: 0x360a, type: 0x000b, value: Buffer.from([1]) }),
  },
  {
    rule: 'folder-row',
    what: 'a row without a folder',
    nodes: (nodes) => {
      table(nodes, 0x802d).rows.push({ id: 0x9002, version: 1, cells: [] });
    },
  },
  {
    rule: 'folder-row-value',
    what: 'a row with another count',
    nodes: (nodes) => put(cells(table(nodes, 0x802d).rows, nid.deleted), integer(0x3602, 7)),
  },
  {
    rule: 'folder-row-value',
    what: 'a row without the name',
    nodes: (nodes) => remove(cells(table(nodes, 0x802d).rows, nid.deleted), 0x3001),
  },
  {
    rule: 'folder-unlisted',
    what: 'a folder without a row',
    nodes: (nodes) => remove(table(nodes, 0x802d).rows, nid.deleted),
  },
];

function extend(list: ReturnType<typeof properties>, id: number): void {
  const property = list.find((candidate) => candidate.id === id);
  if (property) property.value = Buffer.concat([property.value, Buffer.alloc(4)]);
}

/** Changes a property of the mail folder and its copy in the row of the folder above. */
function putInFolderAndRow(nodes: Parameters<typeof properties>[0], property: ReturnType<typeof integer>): void {
  put(properties(nodes, nid.mail), property);
  put(cells(table(nodes, 0x802d).rows, nid.mail), property);
}
