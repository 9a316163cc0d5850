import { expect, it } from 'vitest';
import { scratchFolder } from '../testing/scratch-folder.ts';
import { BlockStore } from './block-store.ts';
import { PartFile } from './part-file.ts';
import { writeSubnodes } from './subnodes.ts';

const PER_LEAF = 340;

/** The internal blocks that so many subnodes make, in order. */
async function blocksOf(count: number): Promise<Buffer[]> {
  await using scratch = await scratchFolder();
  const file = await PartFile.create(scratch.file('a'));
  const written: Buffer[] = [];
  class WatchedStore extends BlockStore {
    override writeInternal(bytes: Uint8Array): number {
      written.push(Buffer.from(bytes));
      return super.writeInternal(bytes);
    }
  }
  const subnodes = Array.from({ length: count }, (_, index) => ({
    nodeId: (count - index) * 32 + 5,
    data: 4,
    subnodes: 0,
  }));
  try {
    expect(writeSubnodes(new WatchedStore(file, false), subnodes) === 0).toBe(count === 0);
  } finally {
    await file.discard();
  }
  return written;
}

it.each([
  [0, []],
  [1, [1]],
  [PER_LEAF, [PER_LEAF]],
  [PER_LEAF + 1, [PER_LEAF, 1, 2]],
  [PER_LEAF * 3, [PER_LEAF, PER_LEAF, PER_LEAF, 3]],
])('%i subnodes are stored in full blocks, with an index block above several of them', async (count, entries) => {
  const blocks = await blocksOf(count);
  expect(blocks.map((block) => block.readUInt16LE(2))).toEqual(entries);
  expect(blocks.map((block) => block.readUInt8(1))).toEqual(
    entries.map((_, at) => (at > 0 && at === entries.length - 1 ? 1 : 0)),
  );
});

it('are sorted by their ids, as readers search them', async () => {
  const [block] = await blocksOf(100);
  const ids = Array.from({ length: 100 }, (_, index) => block?.readUInt32LE(8 + index * 24));
  expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => (index + 1) * 32 + 5));
});
