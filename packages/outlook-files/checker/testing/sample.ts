import { checksum } from '../binary.ts';
import {
  associatedColumns,
  attachmentColumns,
  contentsColumns,
  hierarchyColumns,
  recipientColumns,
  searchColumns,
} from '../tables.ts';
import {
  binary,
  bool,
  bytesNode,
  integer,
  type NodeModel,
  object,
  type Property,
  propertyNode,
  type RowModel,
  tableNode,
  text,
  time,
} from './content.ts';

/** Node ids of the sample, for tests that break a certain one. */
export const nid = {
  store: 0x21,
  names: 0x61,
  root: 0x122,
  top: 0x8022,
  searchRoot: 0x8042,
  deleted: 0x8062,
  mail: 0x8082,
  spam: 0x2223,
  spamQueue: 0x2226,
  spamCriteria: 0x2227,
  /** With attachments, an embedded message and large values. */
  rich: 0x200024,
  /** Unread and without anything. */
  plain: 0x200044,
  associated: 0x100028,
  /** Subnodes of the rich message. */
  file: 0x8025,
  letter: 0x8045,
  embedded: 0x200064,
} as const;

const recordKey = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const date = 133_000_000_000_000_000n;

/**
 * A complete small store: every structure the checker has a rule for is in it, and no rule is broken.
 *
 * @param copies how many more messages share the content of the plain one; 70 make the row matrix need two blocks
 */
export function sampleNodes(copies = 70): NodeModel[] {
  return [
    ...fixedNodes(),
    ...folder(nid.root, nid.root, 'Root', [
      row(nid.top, folderCells('Top', 0, 0, true)),
      row(nid.searchRoot, folderCells('Finder', 0, 0, false)),
      row(nid.spam, folderCells('Spam', 0, 0, false)),
    ]),
    ...folder(nid.top, nid.root, 'Top', [
      row(nid.deleted, folderCells('Deleted Items', 0, 0, false)),
      row(nid.mail, folderCells('Mail', copies + 2, copies + 1, false)),
    ]),
    ...folder(nid.searchRoot, nid.root, 'Finder', []),
    ...folder(nid.deleted, nid.top, 'Deleted Items', []),
    ...mailFolder(copies),
    propertyNode(nid.spam, nid.root, folderCells('Spam', 0, 0, false)),
    bytesNode(nid.spamQueue, Buffer.alloc(0)),
    propertyNode(nid.spamCriteria, 0, [integer(0x660b, 0)]),
  ];
}

function row(id: number, cells: Property[]): RowModel {
  return { id, version: 5, cells };
}

function folderCells(name: string, count: number, unread: number, subfolders: boolean): Property[] {
  return [text(0x3001, name), integer(0x3602, count), integer(0x3603, unread), bool(0x360a, subfolders)];
}

function folder(id: number, parent: number, name: string, children: RowModel[]): NodeModel[] {
  return [
    propertyNode(id, parent, folderCells(name, 0, 0, children.length > 0)),
    tableNode((id & ~0x1f) | 0x0d, hierarchyColumns, children),
    tableNode((id & ~0x1f) | 0x0e, contentsColumns),
    tableNode((id & ~0x1f) | 0x0f, associatedColumns),
  ];
}

function fixedNodes(): NodeModel[] {
  return [
    propertyNode(nid.store, 0, storeProperties()),
    propertyNode(nid.names, 0, nameProperties()),
    bytesNode(0x1e1, Buffer.alloc(0)),
    bytesNode(0x201, Buffer.alloc(0)),
    bytesNode(0xec1, Buffer.alloc(0)),
    tableNode(0x60d, hierarchyColumns),
    tableNode(0x60e, contentsColumns),
    tableNode(0x60f, associatedColumns),
    tableNode(0x610, searchColumns),
    tableNode(0x671, attachmentColumns),
    tableNode(0x692, recipientColumns),
    ...[0x62b, 0x64c, 0x6b6, 0x6d7, 0x6f8].map((id) =>
      tableNode(id, [
        [0x67f2, 0x0003],
        [0x67f3, 0x0003],
      ]),
    ),
  ];
}

function storeProperties(): Property[] {
  return [
    binary(0x0ff9, recordKey),
    text(0x3001, 'Sample'),
    binary(0x35e0, entryId(nid.top)),
    binary(0x35e3, entryId(nid.deleted)),
    binary(0x35e7, entryId(nid.searchRoot)),
    integer(0x67ff, 0),
  ];
}

function entryId(id: number): Buffer {
  const bytes = Buffer.alloc(24);
  recordKey.copy(bytes, 4);
  bytes.writeUInt32LE(id, 20);
  return bytes;
}

function nameId(key: number, kind: number, index: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(key >>> 0, 0);
  bytes.writeUInt16LE(kind, 4);
  bytes.writeUInt16LE(index, 6);
  return bytes;
}

/** Two names: 0x8000 is the number 0x8503 of a property set of its own, 0x8001 the string "Keywords" of PS_PUBLIC_STRINGS. */
function nameProperties(): Property[] {
  const name = Buffer.from('Keywords', 'utf16le');
  const length = Buffer.from([name.length, 0, 0, 0]);
  const hashed = [nameId(0x8503, 3 << 1, 0), nameId(checksum(name), (2 << 1) | 1, 1)];
  const buckets = hashed.map((record) =>
    binary(0x1000 + (((record.readUInt32LE(0) ^ record.readUInt16LE(4)) >>> 0) % 251), record),
  );
  return [
    integer(0x0001, 251),
    binary(0x0002, Buffer.alloc(16, 7)),
    binary(0x0003, Buffer.concat([nameId(0x8503, 3 << 1, 0), nameId(0, (2 << 1) | 1, 1)])),
    binary(0x0004, Buffer.concat([length, name])),
    ...buckets.toSorted((left, right) => left.id - right.id),
  ];
}

function messageProperties(subject: string, flags: number): Property[] {
  return [
    text(0x001a, 'IPM.Note'),
    text(0x0037, subject),
    text(0x0e04, 'Ada'),
    time(0x0e06, date),
    integer(0x0e07, flags),
    integer(0x0e08, 1000),
    time(0x3007, date),
    time(0x3008, date),
    binary(0x300b, Buffer.alloc(16, 3)),
  ];
}

/** The properties that have a column, as the contents table repeats them. */
function contentsRow(id: number, properties: Property[]): RowModel {
  return row(
    id,
    properties.filter((property) => contentsColumns.some(([column]) => column === property.id)),
  );
}

function recipients(): NodeModel {
  return tableNode(0x692, recipientColumns, [
    row(1, [integer(0x0c15, 1), text(0x3001, 'Ada'), text(0x3003, 'ada@example.com')]),
  ]);
}

function mailFolder(copies: number): NodeModel[] {
  const rich = messageProperties('Rich', 0x11);
  const plain = messageProperties('Plain', 0);
  const first = propertyNode(nid.plain, nid.mail, plain, [recipients()]);
  const more = Array.from({ length: copies }, (_, index) => ({ ...first, nid: 0x201004 + 32 * index }));
  const associated = [
    text(0x001a, 'IPM.Configuration'),
    ...messageProperties('', 0x41).filter(({ id }) => [0x0e07, 0x0e08, 0x3007, 0x3008, 0x300b].includes(id)),
  ];
  const ids = [nid.plain, ...more.map((node) => node.nid)];
  return [
    propertyNode(nid.mail, nid.top, folderCells('Mail', copies + 2, copies + 1, false)),
    tableNode((nid.mail & ~0x1f) | 0x0d, hierarchyColumns),
    tableNode((nid.mail & ~0x1f) | 0x0e, contentsColumns, [
      contentsRow(nid.rich, rich),
      ...ids.map((id) => contentsRow(id, plain)),
    ]),
    tableNode((nid.mail & ~0x1f) | 0x0f, associatedColumns, [
      row(nid.associated, [text(0x001a, 'IPM.Configuration'), integer(0x0e07, 0x41)]),
    ]),
    propertyNode(nid.rich, nid.mail, richProperties(rich), [recipients(), ...attachments()]),
    first,
    ...more,
    propertyNode(nid.associated, nid.mail, associated, [tableNode(0x692, recipientColumns)]),
  ];
}

/** A body for a subnode with an XBLOCK, multiple values of both kinds, and named properties. */
function richProperties(base: Property[]): Property[] {
  const strings = Buffer.concat([Buffer.from([2, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0]), Buffer.from('abcd', 'utf16le')]);
  const properties = [
    ...base,
    text(0x1000, 'body '.repeat(4000)),
    { id: 0x8000, type: 0x1003, value: Buffer.alloc(12, 1) },
    { id: 0x8001, type: 0x101f, value: strings },
  ];
  return properties.toSorted((left, right) => left.id - right.id);
}

function attachments(): NodeModel[] {
  const content = Buffer.alloc(20_000, 5);
  const common = [integer(0x3705, 1), integer(0x370b, 0xffff_ffff)];
  const size = integer(0x0e20, content.length + 2 * 4 + 4 + 10);
  const file = [size, binary(0x3701, content), text(0x3704, 'a.bin'), ...common];
  const letter = [
    integer(0x0e20, 500),
    object(0x3701, nid.embedded, 400),
    integer(0x3705, 5),
    integer(0x370b, 0xffff_ffff),
  ];
  const embedded = propertyNode(nid.embedded, 0, messageProperties('Embedded', 1), [recipients()]);
  return [
    tableNode(0x671, attachmentColumns, [
      row(
        nid.file,
        file.filter(({ id }) => id !== 0x3701),
      ),
      row(
        nid.letter,
        letter.filter(({ id }) => id !== 0x3701),
      ),
    ]),
    propertyNode(nid.file, 0, file),
    propertyNode(nid.letter, 0, letter, [embedded]),
  ];
}
