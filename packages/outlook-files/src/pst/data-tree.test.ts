import { array, assert, asyncProperty, integer } from 'fast-check';
import { expect, it } from 'vitest';
import { scratchFolder } from '../testing/scratch-folder.ts';
import type { BlockId } from './block-store.ts';
import { BLOCK_BYTES, BlockStore } from './block-store.ts';
import { DataTree, writeData } from './data-tree.ts';
import { PartFile } from './part-file.ts';

const BLOCKS_PER_INDEX = 1_021;

/** A store that remembers its blocks. */
class WatchedStore extends BlockStore {
  readonly data = new Map<BlockId, Buffer>();
  readonly internal = new Map<BlockId, Buffer>();

  override writeData(bytes: Uint8Array): BlockId {
    const id = super.writeData(bytes);
    this.data.set(id, Buffer.from(bytes));
    return id;
  }

  override writeInternal(bytes: Uint8Array): BlockId {
    const id = super.writeInternal(bytes);
    this.internal.set(id, Buffer.from(bytes));
    return id;
  }
}

async function withStore<T>(use: (store: WatchedStore) => T): Promise<T> {
  await using scratch = await scratchFolder();
  const file = await PartFile.create(scratch.file('a'));
  try {
    return use(new WatchedStore(file, false));
  } finally {
    await file.discard();
  }
}

/** The sizes of the data blocks below a root, in order, every total on the way checked. */
function blockSizes(store: WatchedStore, root: BlockId): number[] {
  const leaf = store.data.get(root);
  if (leaf) {
    return [leaf.length];
  }
  const index = store.internal.get(root) ?? Buffer.alloc(8);
  const below = Array.from({ length: index.readUInt16LE(2) }, (_, at) => index.readUInt32LE(8 + at * 8));
  const sizes = below.flatMap((id) => blockSizes(store, id));
  expect(index.readUInt32LE(4)).toBe(sizes.reduce((sum, size) => sum + size, 0));
  return sizes;
}

it.each([
  ['a block less one byte', BLOCK_BYTES - 1, 0],
  ['a block', BLOCK_BYTES, 0],
  ['a block and one byte', BLOCK_BYTES + 1, 1],
  ['as many blocks as an XBLOCK names', BLOCK_BYTES * BLOCKS_PER_INDEX, 1],
  ['one byte more, for which there is an XXBLOCK over two XBLOCKs', BLOCK_BYTES * BLOCKS_PER_INDEX + 1, 3],
])('stores %s in full blocks but the last', async (_, length, indexBlocks) => {
  await withStore((store) => {
    const sizes = blockSizes(store, writeData(store, Buffer.alloc(length, 7)));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(length);
    expect(new Set(sizes.slice(0, -1))).toEqual(new Set(sizes.length > 1 ? [BLOCK_BYTES] : []));
    expect(store.internal.size).toBe(indexBlocks);
  });
});

it('writes no block for a tree without bytes', async () => {
  await withStore((store) => {
    expect([writeData(store, Buffer.alloc(0)), new DataTree(store).finish(), store.count]).toEqual([0, 0, 0]);
  });
});

it('stores the same blocks however the bytes come in pieces', async () => {
  const pieces = array(integer({ min: 0, max: 20_000 }), { maxLength: 8 });
  await assert(
    asyncProperty(pieces, async (lengths) => {
      await withStore((store) => {
        const chunks = lengths.map((length, index) => Buffer.alloc(length, index + 1));
        const tree = new DataTree(store);
        for (const chunk of chunks) {
          tree.append(chunk);
        }
        tree.finish();
        expect(Buffer.concat([...store.data.values()]).equals(Buffer.concat(chunks))).toBe(true);
        const all = [...store.data.values()].map((block) => block.length);
        expect(all.slice(0, -1).every((length) => length === BLOCK_BYTES)).toBe(true);
      });
    }),
    { numRuns: 50 },
  );
});

it('stores two trees that grow at the same time without mixing them', async () => {
  await withStore((store) => {
    const [one, other] = [new DataTree(store), new DataTree(store)];
    for (let round = 0; round < 3; round += 1) {
      one.append(Buffer.alloc(100, 1));
      other.append(Buffer.alloc(100, 2));
    }
    const roots = [one.finish(), other.finish()];
    expect(roots.map((root) => store.data.get(root))).toEqual([Buffer.alloc(300, 1), Buffer.alloc(300, 2)]);
  });
});
