import type { Content, NodeModel, Property, RowModel } from './content.ts';
import { bytesNode } from './content.ts';
import { addTree, HeapBuilder } from './heap-builder.ts';

const fixed = new Map([
  [0x0002, 2],
  [0x0003, 4],
  [0x000b, 1],
  [0x0014, 8],
  [0x0040, 8],
]);

/** Gives subnodes for values their ids. */
export type NextValueNode = () => number;

/** The data of a node and the subnodes its values need. */
export interface Encoded {
  blocks: Buffer[];
  subnodes: NodeModel[];
}

export function encode(content: Content, next: NextValueNode): Encoded {
  if (content.kind === 'properties') return encodeProperties(content.properties, next);
  if (content.kind === 'table') return encodeTable(content.columns, content.rows, next);
  if (content.kind === 'blocks') return { blocks: content.blocks, subnodes: [] };
  const blocks = [];
  for (let at = 0; at < content.bytes.length; at += 8176) blocks.push(content.bytes.subarray(at, at + 8176));
  return { blocks, subnodes: [] };
}

/** A value that may have to move to the heap or to a subnode: its HNID. */
function place(heap: HeapBuilder, value: Buffer, subnodes: NodeModel[], next: NextValueNode): number {
  if (value.length === 0) return 0;
  if (value.length <= 3580) return heap.add(value);
  const nid = next();
  subnodes.push(bytesNode(nid, value));
  return nid;
}

/** Allocations of the heap: BTHHEADER, then the values, then the records. */
function encodeProperties(properties: Property[], next: NextValueNode): Encoded {
  const heap = new HeapBuilder();
  const subnodes: NodeModel[] = [];
  const header = Buffer.alloc(8);
  const root = heap.add(header);
  const records = properties.map(({ id, type, value }) => {
    const record = Buffer.alloc(8);
    record.writeUInt16LE(id, 0);
    record.writeUInt16LE(type, 2);
    if ((fixed.get(type) ?? 8) <= 4) value.copy(record, 4);
    else record.writeUInt32LE(place(heap, value, subnodes, next), 4);
    return record;
  });
  addTree(heap, records, 2, 6, root).header.copy(header);
  return { blocks: heap.build(0xbc, root), subnodes };
}

interface Layout {
  columns: { id: number; type: number; offset: number; size: number; bit: number }[];
  ends: [number, number, number, number];
}

/** Row id and version first, then the widths 8 and 4, 2, 1, then the cell existence block. */
function layOut(columns: { id: number; type: number }[]): Layout {
  const width = (type: number) => fixed.get(type) ?? 4;
  const group = (type: number) => (width(type) >= 4 ? 0 : width(type) === 2 ? 1 : 2);
  const rank = (id: number) => (id === 0x67f2 ? -2 : id === 0x67f3 ? -1 : 0);
  const ordered = columns.toSorted(
    (left, right) => rank(left.id) - rank(right.id) || group(left.type) - group(right.type),
  );
  let offset = 0;
  const ends: [number, number, number, number] = [0, 0, 0, 0];
  const placed = ordered.map(({ id, type }, bit) => {
    const column = { id, type, offset, size: width(type), bit };
    offset += column.size;
    for (let end = group(type); end < 4; end++) ends[end] = offset;
    return column;
  });
  ends[3] = offset + Math.ceil(columns.length / 8);
  return { columns: placed, ends };
}

/** Allocations of the heap: TCINFO, BTHHEADER of the row index, then values, rows (where small) and records. */
function encodeTable(columns: { id: number; type: number }[], rows: RowModel[], next: NextValueNode): Encoded {
  const heap = new HeapBuilder();
  const subnodes: NodeModel[] = [];
  const layout = layOut(columns);
  const info = Buffer.alloc(22 + 8 * columns.length);
  const root = heap.add(info);
  const header = Buffer.alloc(8);
  const index = heap.add(header);
  const encoded = rows.map((row) => encodeRow(row, layout, (value) => place(heap, value, subnodes, next)));
  const matrix = placeRows(heap, encoded, subnodes, next);
  const records = rows.map(({ id }, at) => {
    const record = Buffer.alloc(8);
    record.writeUInt32LE(id, 0);
    record.writeUInt32LE(at, 4);
    return record;
  });
  records.sort((left, right) => left.readUInt32LE(0) - right.readUInt32LE(0));
  addTree(heap, records, 4, 4, index).header.copy(header);
  writeInfo(info, layout, index, matrix);
  return { blocks: heap.build(0x7c, root), subnodes };
}

function writeInfo(info: Buffer, layout: Layout, index: number, matrix: number): void {
  info.writeUInt8(0x7c, 0);
  info.writeUInt8(layout.columns.length, 1);
  for (const [group, end] of layout.ends.entries()) info.writeUInt16LE(end, 2 + 2 * group);
  info.writeUInt32LE(index, 10);
  info.writeUInt32LE(matrix, 14);
  const sorted = layout.columns.toSorted((left, right) => left.id - right.id);
  for (const [place, column] of sorted.entries()) {
    info.writeUInt16LE(column.type, 22 + 8 * place);
    info.writeUInt16LE(column.id, 24 + 8 * place);
    info.writeUInt16LE(column.offset, 26 + 8 * place);
    info.writeUInt8(column.size, 28 + 8 * place);
    info.writeUInt8(column.bit, 29 + 8 * place);
  }
}

function encodeRow(row: RowModel, layout: Layout, store: (value: Buffer) => number): Buffer {
  const bytes = Buffer.alloc(layout.ends[3]);
  const cells = new Map(row.cells.map((cell) => [cell.id, cell]));
  bytes.writeUInt32LE(row.id, 0);
  bytes.writeUInt32LE(row.version, 4);
  for (const column of layout.columns) {
    const cell = cells.get(column.id);
    if (cell === undefined && column.bit > 1) continue;
    const bit = layout.ends[2] + (column.bit >> 3);
    bytes.writeUInt8(bytes.readUInt8(bit) | (0x80 >> (column.bit % 8)), bit);
    if (cell === undefined) continue;
    if (fixed.has(column.type)) cell.value.copy(bytes, column.offset);
    else bytes.writeUInt32LE(store(cell.value), column.offset);
  }
  return bytes;
}

/** Small matrices are in the heap, others in a subnode with whole rows in each block. */
function placeRows(heap: HeapBuilder, rows: Buffer[], subnodes: NodeModel[], next: NextValueNode): number {
  const all = Buffer.concat(rows);
  if (all.length <= 3580) return all.length === 0 ? 0 : heap.add(all);
  const rowSize = rows[0]?.length ?? 1;
  const perBlock = Math.floor(8176 / rowSize);
  const blocks = [];
  for (let first = 0; first < rows.length; first += perBlock) {
    const part = Buffer.concat(rows.slice(first, first + perBlock));
    blocks.push(first + perBlock < rows.length ? Buffer.concat([part, Buffer.alloc(8176 - part.length)]) : part);
  }
  const nid = next();
  subnodes.push(bytesNode(nid, Buffer.concat(blocks)));
  return nid;
}
