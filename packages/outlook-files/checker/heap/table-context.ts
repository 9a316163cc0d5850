import { hex } from '../binary.ts';
import { mostBlockData } from '../blocks.ts';
import { Damage, type Findings } from '../findings.ts';
import type { NodeContent } from '../node-content.ts';
import { fixedSize, resolve, type Value } from '../value.ts';
import { readRecords } from './btree-on-heap.ts';
import { clientSignature, Heap } from './heap.ts';
import { propertyName } from './property-context.ts';
import { type Column, checkColumns } from './table-columns.ts';

/** One row of a table. */
export interface Row {
  id: number;
  /** The cells that exist, by property id. */
  cells: Map<number, Value>;
}

/** A Table Context ([MS-PST] 2.3.4): columns, row index and row matrix. */
export class TableContext {
  readonly node: NodeContent;
  readonly columns: Column[];
  /** Row ids by their place in the row matrix. */
  readonly rowIds: number[];
  readonly #heap: Heap;
  readonly #rowSize: number;
  readonly #bitmapOffset: number;
  readonly #rows: number;

  private constructor(node: NodeContent, heap: Heap, info: Buffer, columns: Column[], rowIds: number[]) {
    this.node = node;
    this.columns = columns;
    this.rowIds = rowIds;
    this.#heap = heap;
    this.#bitmapOffset = info.readUInt16LE(6);
    this.#rowSize = info.readUInt16LE(8);
    this.#rows = info.readUInt32LE(14);
  }

  /** Reads the table of a node and checks its header, columns and row index. Rows are read by `rows()`. */
  static async open(node: NodeContent): Promise<TableContext> {
    const { findings } = node.database;
    const heap = await Heap.open(node);
    if (heap.clientSignature !== clientSignature.tableContext)
      throw new Damage('table-header', node.where, `bClientSig is ${hex(heap.clientSignature)}, not 0x7C`);
    const info = heap.read(heap.root);
    const columns = checkColumns(info, node.where, findings);
    const rowIds = readRowIndex(heap, info.readUInt32LE(10), node.where, findings);
    return new TableContext(node, heap, info, columns, rowIds);
  }

  /** Every row in the order of the matrix, with its cells checked; one block of the matrix is in memory at a time. */
  async *rows(): AsyncGenerator<Row> {
    const { findings } = this.node.database;
    let index = 0;
    for await (const block of this.#matrixBlocks()) {
      const count = Math.floor(block.length / this.#rowSize);
      for (let place = 0; place < count; place++, index++) {
        const bytes = block.subarray(place * this.#rowSize, (place + 1) * this.#rowSize);
        if (bytes.readUInt32LE(0) !== this.rowIds[index])
          findings.add(
            'table-row-index',
            this.node.where,
            `row ${index} has the id ${hex(bytes.readUInt32LE(0))}, the row index says ${hex(this.rowIds[index] ?? 0)}`,
          );
        yield { id: bytes.readUInt32LE(0), cells: await this.#readCells(bytes) };
      }
    }
    if (index !== this.rowIds.length)
      findings.add(
        'table-row-index',
        this.node.where,
        `${this.rowIds.length} rows are indexed, the matrix has ${index}`,
      );
  }

  async *#matrixBlocks(): AsyncGenerator<Buffer> {
    const { where } = this.node;
    const rowsPerBlock = Math.floor(mostBlockData / this.#rowSize);
    if (this.#rows === 0) return;
    if ((this.#rows & 0x1f) === 0) {
      yield this.#whole(this.#heap.read(this.#rows));
      return;
    }
    const matrix = await this.node.openSubnode(this.#rows);
    const blocks = await matrix.dataBlocks();
    for (const [index, bid] of blocks.entries()) {
      const bytes = await matrix.readBlock(bid);
      if (index === blocks.length - 1) yield this.#whole(bytes);
      else if (bytes.length !== mostBlockData)
        throw new Damage('table-row-matrix', where, `block ${index} of the row matrix is not full`);
      else yield bytes.subarray(0, rowsPerBlock * this.#rowSize);
    }
  }

  #whole(bytes: Buffer): Buffer {
    if (bytes.length % this.#rowSize !== 0)
      this.node.database.findings.add(
        'table-row-matrix',
        this.node.where,
        `the last block of the matrix has ${bytes.length} bytes, no whole number of rows of ${this.#rowSize}`,
      );
    return bytes;
  }

  async #readCells(row: Buffer): Promise<Map<number, Value>> {
    const { findings } = this.node.database;
    const cells = new Map<number, Value>();
    checkBitmap(row.subarray(this.#bitmapOffset), this.columns, this.node.where, findings);
    for (const column of this.columns) {
      const bit = row.readUInt8(this.#bitmapOffset + (column.bit >> 3)) & (0x80 >> (column.bit % 8));
      const bytes = row.subarray(column.offset, column.offset + column.size);
      if (bit === 0) continue;
      const value = await findings.guard(this.node.where, () => this.#readCell(column, bytes));
      if (value) cells.set(column.id, value);
    }
    return cells;
  }

  async #readCell(column: Column, bytes: Buffer): Promise<Value> {
    const size = fixedSize(column.type);
    if (size !== undefined && size <= 8) return { type: column.type, size, read: () => bytes };
    return await resolve(
      this.node,
      this.#heap,
      column.type,
      bytes.readUInt32LE(0),
      `cell of ${propertyName(column.id)}`,
    );
  }
}

/** The row ids by their place in the matrix ([MS-PST] 2.3.4.3). */
function readRowIndex(heap: Heap, hid: number, where: string, findings: Findings): number[] {
  const records = readRecords(heap, hid, { key: 4, data: 4 }, findings);
  const ids: number[] = new Array(records.length).fill(-1);
  for (const record of records) {
    const [id, place] = [record.readUInt32LE(0), record.readUInt32LE(4)];
    if (place >= ids.length || ids[place] !== -1)
      findings.add(
        'table-row-index',
        where,
        `row ${hex(id)} has the place ${place}, which is in use or beyond the last row`,
      );
    else ids[place] = id;
  }
  return ids;
}

/** The two columns every row has are marked as existing, and bits without a column are not. */
function checkBitmap(bitmap: Buffer, columns: Column[], where: string, findings: Findings): void {
  if ((bitmap.readUInt8(0) & 0xc0) !== 0xc0)
    findings.add('table-cell-bitmap', where, 'a row does not mark PidTagLtpRowId and PidTagLtpRowVer as existing');
  for (let bit = columns.length; bit < bitmap.length * 8; bit++) {
    if ((bitmap.readUInt8(bit >> 3) & (0x80 >> (bit % 8))) !== 0) {
      findings.add('table-cell-bitmap', where, `bit ${bit} is set, there are ${columns.length} columns`);
      return;
    }
  }
}
