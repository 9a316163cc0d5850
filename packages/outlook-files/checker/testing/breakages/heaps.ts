import { integer, type Property, text } from '../content.ts';
import { encode } from '../context-builder.ts';
import { addTree, HeapBuilder } from '../heap-builder.ts';
import type { PstImage } from '../pst-image.ts';
import { nid } from '../sample.ts';
import { allocation, type Breakage, find, properties, put, swap } from './breakage.ts';

/** The associated contents table of Deleted Items: no rows, nothing below it. */
const quietTable = 0x806f;

function changeStore(change: (block: Buffer) => void): (image: PstImage) => void {
  return (image) => image.block(image.blockOf(nid.store), change);
}

/** Moves the page map two bytes away from the last allocation. */
function withGap(block: Buffer): Buffer {
  const map = block.readUInt16LE(0);
  const moved = Buffer.concat([block.subarray(0, map), Buffer.alloc(2), block.subarray(map)]);
  moved.writeUInt16LE(map + 2, 0);
  return moved;
}

/** A folder's properties with a display name that is an allocation of no bytes. */
function withEmptyName(): Buffer[] {
  const heap = new HeapBuilder();
  const header = Buffer.alloc(8);
  const root = heap.add(header);
  const name = heap.add(Buffer.alloc(0));
  const record = (id: number, type: number, value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt16LE(id, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(value, 4);
    return bytes;
  };
  const records = [record(0x3001, 0x1f, name), record(0x3602, 3, 0), record(0x3603, 3, 0), record(0x360a, 0x0b, 0)];
  addTree(heap, records, 2, 6, root).header.copy(header);
  return heap.build(0xbc, root);
}

function withProperty(property: Property): Pick<Breakage, 'nodes'> {
  return { nodes: (nodes) => put(properties(nodes, nid.store), property) };
}

export const heapBreakages: Breakage[] = [
  {
    rule: 'structure-truncated',
    what: 'a heap of two bytes',
    nodes: (nodes) => {
      find(nodes, quietTable).content = { kind: 'blocks', blocks: [Buffer.from([8, 0])] };
    },
  },
  { rule: 'heap-header', what: 'another bSig', image: changeStore((block) => block.writeUInt8(0, 2)) },
  {
    rule: 'heap-fill-level',
    what: 'a fill level of a block that does not exist',
    image: changeStore((block) => block.writeUInt8(0x10, 8)),
  },
  {
    rule: 'heap-page-map',
    what: 'a page map two bytes after the last allocation',
    nodes: (nodes) => {
      const node = find(nodes, quietTable);
      node.content = { kind: 'blocks', blocks: encode(node.content, () => 0).blocks.map(withGap) };
    },
  },
  {
    rule: 'heap-allocation',
    what: 'a first allocation away from the header',
    image: changeStore((block) => block.writeUInt16LE(14, block.readUInt16LE(0) + 4)),
  },
  {
    rule: 'heap-free-count',
    what: 'a freed allocation that is none',
    image: changeStore((block) => block.writeUInt16LE(1, block.readUInt16LE(0) + 2)),
  },
  {
    rule: 'heap-reference',
    what: 'a root that names no allocation',
    image: changeStore((block) => block.writeUInt32LE(0x7e0, 4)),
  },
  {
    rule: 'heap-empty-value',
    what: 'a value in a freed allocation',
    also: ['folder-property', 'folder-row-value'],
    nodes: (nodes) => {
      find(nodes, nid.spam).content = { kind: 'blocks', blocks: withEmptyName() };
    },
  },
  {
    rule: 'bth-header',
    what: 'another bType',
    image: changeStore((block) => allocation(block, 0).writeUInt8(0xb4, 0)),
  },
  {
    rule: 'bth-record',
    what: 'a last record cut off',
    image: changeStore((block) => {
      const last = block.readUInt16LE(0) + 4 + 2 * block.readUInt16LE(block.readUInt16LE(0));
      block.writeUInt16LE(block.readUInt16LE(last) - 1, last);
    }),
  },
  {
    rule: 'bth-key-order',
    what: 'two records exchanged',
    image: changeStore((block) => swap(allocation(block, -1), 8, 0, 1)),
  },
  {
    rule: 'property-context',
    what: 'a client signature of a table',
    image: changeStore((block) => block.writeUInt8(0x7c, 3)),
  },
  {
    rule: 'property-type',
    what: 'an unknown type',
    ...withProperty({ id: 0x6666, type: 0x0099, value: Buffer.alloc(4, 1) }),
  },
  {
    rule: 'property-size',
    what: 'a Unicode string of three bytes',
    ...withProperty({ ...text(0x6666, ''), value: Buffer.alloc(3, 1) }),
  },
  {
    rule: 'property-size',
    what: 'a time of four bytes',
    ...withProperty({ id: 0x6666, type: 0x0040, value: Buffer.alloc(4, 1) }),
  },
  {
    rule: 'property-size',
    what: 'a boolean that is two',
    ...withProperty({ id: 0x6666, type: 0x000b, value: Buffer.from([2]) }),
  },
  {
    rule: 'property-multiple',
    what: 'half a number',
    ...withProperty({ id: 0x6666, type: 0x1003, value: Buffer.alloc(6, 1) }),
  },
  {
    rule: 'property-multiple',
    what: 'strings beyond their bytes',
    ...withProperty({ id: 0x6666, type: 0x101f, value: integer(0, 9).value }),
  },
  {
    rule: 'property-object',
    what: 'an object without its subnode',
    ...withProperty({ id: 0x6666, type: 0x000d, value: Buffer.alloc(8, 1) }),
  },
  { rule: 'table-header', what: 'a used hidIndex', image: changeTable((info) => info.writeUInt8(1, 18)) },
  { rule: 'table-groups', what: 'groups out of order', image: changeTable((info) => info.writeUInt16LE(4, 4)) },
  {
    rule: 'table-column-order',
    what: 'two columns exchanged',
    image: changeTable((info) => swap(info.subarray(22), 8, 0, 1)),
  },
  { rule: 'table-column', what: 'a column of the wrong width', image: changeTable((info) => info.writeUInt8(8, 28)) },
  {
    rule: 'table-column',
    what: 'two columns with one bit',
    image: changeTable((info) => info.writeUInt8(info.readUInt8(37), 29)),
  },
  { rule: 'table-row-columns', what: 'a row version with another bit', image: changeTable(exchangeBits) },
  {
    rule: 'table-row-matrix',
    what: 'rows that are not whole',
    image: changeTable((info) => info.writeUInt32LE(2 << 5, 14)),
  },
  {
    rule: 'table-row-index',
    what: 'an index that confuses two rows',
    image: changeRoot((block) => exchangePlaces(allocation(block, -1))),
  },
  {
    rule: 'table-cell-bitmap',
    what: 'a bit without a column',
    image: changeRoot((block) => setLastBit(allocation(block, -2))),
  },
];

function changeTable(change: (info: Buffer) => void): (image: PstImage) => void {
  return (image) => image.block(image.blockOf(quietTable), (block) => change(allocation(block, 0)));
}

/** The hierarchy table of the root folder, which has rows. */
function changeRoot(change: (block: Buffer) => void): (image: PstImage) => void {
  return (image) => image.block(image.blockOf(0x12d), change);
}

function exchangeBits(info: Buffer): void {
  const columns = Array.from({ length: info.readUInt8(1) }, (_, index) =>
    info.subarray(22 + 8 * index, 30 + 8 * index),
  );
  const version = columns.find((column) => column.readUInt16LE(2) === 0x67f3);
  const other = columns.find((column) => column.readUInt8(7) === 2);
  version?.writeUInt8(2, 7);
  other?.writeUInt8(1, 7);
}

function exchangePlaces(records: Buffer): void {
  const [first, second] = [records.readUInt32LE(4), records.readUInt32LE(12)];
  records.writeUInt32LE(second, 4);
  records.writeUInt32LE(first, 12);
}

/** The last bit of the first of three rows; thirteen columns leave three bits over. */
function setLastBit(matrix: Buffer): void {
  const end = matrix.length / 3 - 1;
  matrix.writeUInt8(matrix.readUInt8(end) | 1, end);
}
