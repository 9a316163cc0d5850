import type { Property } from '../mapi/property-bag.ts';
import type { BlockId } from './block-store.ts';
import { BLOCK_BYTES } from './block-store.ts';
import { DataTree } from './data-tree.ts';
import { ALLOCATION_BYTES, HEAP_OF, Heap } from './heap.ts';
import { addHeapTree, TREE_HEADER_BYTES } from './heap-tree.ts';
import { NODE_TYPE } from './node-ids.ts';
import { storeValue } from './property-context.ts';
import type { Store } from './store.ts';
import type { Subnode } from './subnodes.ts';
import { writeSubnodes } from './subnodes.ts';
import type { Column, TableSchema } from './table-schema.ts';
import { ROW_ID, ROW_VERSION } from './table-schema.ts';

const NO_ROWS = Buffer.alloc(0);

/** A row's values by property id. */
export interface RowValues {
  get(id: number): Property | undefined;
}

/**
 * A table context, [MS-PST] 2.3.4. Rows and their strings go to the file as blocks fill; a row leaves eight bytes in memory, so that
 * a folder of a hundred thousand items costs little.
 */
export class Table {
  readonly #store: Store;
  readonly #schema: TableSchema;
  readonly #heap: Heap;
  readonly #subnodes: Subnode[] = [];
  readonly #rowIds: number[] = [];
  readonly #rowsPerBlock: number;
  /** Rows of the block that is being filled. */
  #rows = NO_ROWS;
  #rowTree: DataTree | undefined;

  constructor(store: Store, schema: TableSchema) {
    this.#store = store;
    this.#schema = schema;
    this.#heap = new Heap(store.blocks, HEAP_OF.table);
    this.#rowsPerBlock = Math.floor(BLOCK_BYTES / schema.rowBytes);
    this.#heap.add(Buffer.alloc(TREE_HEADER_BYTES)); // the row index, known at the end
  }

  get rowCount(): number {
    return this.#rowIds.length;
  }

  /** Blocks of the heap so far: what limits how many rows with text a table can have. */
  get heapBlockCount(): number {
    return this.#heap.blockCount;
  }

  /** @param id greater than those of the rows before */
  addRow(id: number, values: RowValues): void {
    const { rowBytes, columns, ends } = this.#schema;
    const inBlock = this.rowCount % this.#rowsPerBlock;
    if (inBlock === 0 && this.rowCount > 0) {
      this.#flushRows();
    }
    this.#growTo((inBlock + 1) * rowBytes);
    const row = this.#rows.subarray(inBlock * rowBytes, (inBlock + 1) * rowBytes);
    for (const column of columns) {
      if (this.#writeCell(row, column, id, values)) {
        const at = ends[2] + (column.bit >>> 3);
        row.writeUInt8(row.readUInt8(at) | (0x80 >>> (column.bit & 7)), at);
      }
    }
    this.#rowIds.push(id);
  }

  /** Writes what is left. */
  finish(): { data: BlockId; subnodes: BlockId } {
    const rows = this.#finishRows();
    const info = this.#heap.add(this.#info(rows));
    this.#heap.patchFirst(0, addHeapTree(this.#heap, this.#rowIndex(), 4, 4));
    return { data: this.#heap.finish(info), subnodes: writeSubnodes(this.#store.blocks, this.#subnodes) };
  }

  #writeCell(row: Buffer, column: Column, id: number, values: RowValues): boolean {
    if (column.id === ROW_ID || column.id === ROW_VERSION) {
      row.writeUInt32LE(column.id === ROW_ID ? id : this.#store.nextRowVersion(), column.offset);
      return true;
    }
    const property = values.get(column.id);
    if (property === undefined || property.type !== column.type) {
      return false;
    }
    if (column.isInline && column.bytes <= 4) {
      row.writeUIntLE(property.number, column.offset, column.bytes);
    } else if (column.isInline) {
      property.bytes.copy(row, column.offset);
    } else {
      row.writeUInt32LE(storeValue(this.#store, this.#heap, this.#subnodes, property.bytes), column.offset);
    }
    return true;
  }

  #growTo(bytes: number): void {
    if (bytes > this.#rows.length) {
      const larger = Buffer.alloc(Math.min(BLOCK_BYTES, Math.max(bytes, this.#rows.length * 2)));
      larger.set(this.#rows);
      this.#rows = larger;
    }
  }

  /** Rows do not cross blocks: the rest of a full block stays empty. */
  #flushRows(): void {
    this.#rowTree ??= new DataTree(this.#store.blocks);
    this.#growTo(BLOCK_BYTES);
    this.#rowTree.append(this.#rows);
    this.#rows.fill(0);
  }

  /** Where the rows are: in the heap while they fit, else in a node of their own. */
  #finishRows(): number {
    const left = this.rowCount === 0 ? 0 : ((this.rowCount - 1) % this.#rowsPerBlock) + 1;
    const bytes = left * this.#schema.rowBytes;
    if (this.#rowTree === undefined && bytes <= ALLOCATION_BYTES) {
      return bytes === 0 ? 0 : this.#heap.add(this.#rows.subarray(0, bytes));
    }
    this.#rowTree ??= new DataTree(this.#store.blocks);
    this.#rowTree.append(this.#rows.subarray(0, bytes));
    const nodeId = this.#store.nodes.allocateId(NODE_TYPE.value);
    this.#subnodes.push({ nodeId, data: this.#rowTree.finish(), subnodes: 0 });
    return nodeId;
  }

  #rowIndex(): Buffer {
    if (this.rowCount === 0) {
      return NO_ROWS;
    }
    const index = Buffer.allocUnsafe(this.rowCount * 8);
    this.#rowIds.forEach((id, row) => {
      index.writeUInt32LE(id, row * 8);
      index.writeUInt32LE(row, row * 8 + 4);
    });
    return index;
  }

  /** The row index is the heap's first allocation. */
  #info(rows: number): Buffer {
    const info = tableInfo(this.#schema);
    info.writeUInt32LE(rows, ROWS_OFFSET);
    return info; // copied into the heap at once, so that the next table may write over it
  }
}

const INFO_HEADER_BYTES = 22;
const ROWS_OFFSET = 14;
const infos = new Map<TableSchema, Buffer>();

/** TCINFO, [MS-PST] 2.3.4.1, but for where the rows are. Made once a schema: every item has a table or two. */
function tableInfo(schema: TableSchema): Buffer {
  const known = infos.get(schema);
  if (known) {
    return known;
  }
  const { columns, ends } = schema;
  const info = Buffer.alloc(INFO_HEADER_BYTES + columns.length * 8);
  infos.set(schema, info);
  info.writeUInt8(HEAP_OF.table, 0);
  info.writeUInt8(columns.length, 1);
  ends.forEach((end, index) => {
    info.writeUInt16LE(end, 2 + index * 2);
  });
  info.writeUInt32LE(0x20, 10);
  columns.forEach((column, index) => {
    const at = INFO_HEADER_BYTES + index * 8;
    info.writeUInt16LE(column.type, at);
    info.writeUInt16LE(column.id, at + 2);
    info.writeUInt16LE(column.offset, at + 4);
    info.writeUInt8(column.bytes, at + 6);
    info.writeUInt8(column.bit, at + 7);
  });
  return info;
}

/** A table's rows as they are when all of them are at hand. */
export function writeTable(store: Store, schema: TableSchema, rows: readonly { id: number; values: RowValues }[]) {
  const table = new Table(store, schema);
  for (const row of rows) {
    table.addRow(row.id, row.values);
  }
  return table.finish();
}
