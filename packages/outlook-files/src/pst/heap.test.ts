import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../testing/scratch-folder.ts';
import { BLOCK_BYTES, BlockStore } from './block-store.ts';
import { HEAP_OF, Heap } from './heap.ts';
import { PartFile } from './part-file.ts';

/** A store that remembers its data blocks. */
class WatchedStore extends BlockStore {
  readonly written: Buffer[] = [];

  override writeData(bytes: Uint8Array): number {
    this.written.push(Buffer.from(bytes));
    return super.writeData(bytes);
  }
}

describe('a heap of many blocks', () => {
  it('finds each allocation by its id, in blocks that end with their page map', async () => {
    await using scratch = await scratchFolder();
    const file = await PartFile.create(scratch.file('a'));
    const store = new WatchedStore(file, false);
    const heap = new Heap(store, HEAP_OF.table);
    const values = Array.from({ length: 4_000 }, (_, index) => randomBytes(1 + (index % 700)));
    const ids = values.map((value) => heap.add(value));
    heap.finish(ids[0] ?? 0);
    await file.discard();
    const blocks = inOrder(store.written, heap.blockCount);
    values.forEach((value, index) => {
      const id = ids[index] ?? 0;
      const block = blocks[id >>> 16] ?? Buffer.alloc(0);
      const map = block.readUInt16LE(0);
      const number = (id & 0xffff) >>> 5;
      const [start, end] = [block.readUInt16LE(map + 2 + number * 2), block.readUInt16LE(map + 4 + number * 2)];
      expect(value.equals(block.subarray(start, end))).toBe(true);
    });
    expect(new Set(blocks.slice(0, -1).map((block) => block.length))).toEqual(new Set([BLOCK_BYTES]));
    const last = blocks.at(-1) ?? Buffer.alloc(0);
    const map = last.readUInt16LE(0);
    expect(last.length).toBe(map + 4 + 2 * (last.readUInt16LE(map) + 1));
    expect(blocks[0]?.subarray(2, 4)).toEqual(Buffer.from([0xec, 0x7c]));
  });

  it('records in its first block how full the first eight blocks are', async () => {
    await using scratch = await scratchFolder();
    const file = await PartFile.create(scratch.file('a'));
    const store = new WatchedStore(file, false);
    const heap = new Heap(store, HEAP_OF.properties);
    heap.add(Buffer.alloc(3_500));
    heap.finish(0x20);
    await file.discard();
    const [first] = store.written;
    expect(first?.readUInt8(8)).toBe(0); // more than 3,584 bytes are free: level 0
  });
});

/** Blocks that describe others are written last: the first, the ninth, and every 128th from there. */
function inOrder(written: readonly Buffer[], count: number): Buffer[] {
  const describesOthers = (number: number) => number === 0 || number % 128 === 8;
  const numbers = Array.from({ length: count }, (_, number) => number);
  const order = [...numbers.filter((number) => !describesOthers(number)), ...numbers.filter(describesOthers)];
  const blocks: Buffer[] = [];
  order.forEach((number, index) => {
    blocks[number] = written[index] ?? Buffer.alloc(0);
  });
  return blocks;
}
