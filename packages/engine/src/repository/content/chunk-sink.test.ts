import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { memoryStore } from '../../store/memory-store.fixture.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { KnownPacks } from '../../testing/known-packs.ts';
import type { ChunkIndex } from '../chunk-index.ts';
import { deriveKeys, newRepositoryKey } from '../keys.ts';
import { packObjectName } from '../packs/pack-builder.ts';
import { checkPack } from '../packs/pack-check.ts';
import type { PackingOptions } from '../packs/pack-fillers.ts';
import { ChunkSink } from './chunk-sink.ts';

const MB = 2 ** 20;
const keys = deriveKeys(newRepositoryKey());
const IN_THREAD: PackingOptions = { hereBytesMax: 0 };
const dying = (how: string): PackingOptions => ({
  hereBytesMax: 0,
  program: new URL(`../packs/dying-pack-worker.fixture.ts${how}`, import.meta.url),
});

async function withSink(
  work: (sink: ChunkSink) => Promise<void>,
  { store = memoryStore().store, index = new KnownPacks() as ChunkIndex, packing = IN_THREAD } = {},
): Promise<void> {
  const sink = new ChunkSink(store, keys, index, packing);
  try {
    await work(sink);
  } finally {
    await sink.end();
  }
}

for (const [where, packing] of [
  ['this thread', {}],
  ['a thread of its own', IN_THREAD],
] as const) {
  test(`chunks that ${where} packs are whole, each once, in the order in which they were given`, async () => {
    const { store, objects } = memoryStore();
    await withSink(
      async (sink) => {
        const sizes = [
          1,
          63,
          64,
          9_000,
          70_000,
          4 * MB,
          3,
          4 * MB,
          ...Array.from({ length: 3_000 }, (_, at) => 10 + at),
        ];
        const chunks = sizes.map((size, at) => (at % 2 === 0 ? randomBytes(size) : Buffer.alloc(size, `text ${at} `)));
        const ids: string[] = [];
        for (const chunk of chunks) ids.push(await sink.add(chunk.subarray(0, 1), chunk.subarray(1)));
        expect(await sink.add(chunks[5] ?? randomBytes(1))).toBe(ids[5]);
        const packs = await sink.flush();
        expect(packs.flatMap((pack) => pack.chunks.map(({ id }) => id))).toEqual(ids);
        for (const pack of packs) {
          expect(objects.get(packObjectName(pack.name))?.length).toBe(pack.sizeBytes);
          expect(await checkPack(store, keys, pack)).toEqual({ damagedChunks: [], fault: null });
        }
        expect(await sink.flush()).toEqual([]);
      },
      { store, packing },
    );
  }, 60_000);
}

test('chunks in the index are not packed again, unless that is requested', async () => {
  const known = new KnownPacks();
  const chunks = Array.from({ length: 50 }, () => randomBytes(5_000));
  await withSink(async (sink) => {
    for (const chunk of chunks) await sink.add(chunk);
    known.add(await sink.flush());
  });
  await withSink(
    async (sink) => {
      for (const chunk of chunks) await sink.add(chunk);
      expect(await sink.flush()).toEqual([]);
      const again = await sink.addAgain(chunks[7] ?? randomBytes(1));
      expect((await sink.flush()).flatMap((pack) => pack.chunks.map(({ id }) => id))).toEqual([again]);
    },
    { index: known },
  );
});

for (const how of ['', '?exit']) {
  test(`a thread that dies${how === '' ? ' of an error' : ' without a word'} fails what waits and what comes after`, async () => {
    await withSink(
      async (sink) => {
        await sink.add(randomBytes(1_000));
        const failure = /thread that fills packs has failed: .*Nothing of what it held is part of a restore point/;
        await expect(sink.flush()).rejects.toThrow(failure);
        await expect(sink.add(randomBytes(1_000))).rejects.toThrow(failure);
        await expect(sink.flush()).rejects.toThrow(failure);
      },
      { packing: dying(how) },
    );
  });
}

test('a caller that waits for room when a thread dies gets its error, and does not wait for ever', async () => {
  await withSink(
    async (sink) => {
      const adding = Array.from({ length: 20 }, () => sink.add(randomBytes(2 * MB)));
      const ends = await Promise.allSettled(adding);
      expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
      await expect(sink.flush()).rejects.toThrow(/thread that fills packs has failed/);
    },
    { packing: dying('') },
  );
});

test('an index that does not answer fails what follows, and no pack is reported', async () => {
  const index: ChunkIndex = { locate: () => Promise.reject(new Error('no database')) };
  await withSink(
    async (sink) => {
      await sink.add(randomBytes(1_000));
      await expect(sink.flush()).rejects.toThrow('no database');
      await expect(sink.add(randomBytes(1_000))).rejects.toThrow('no database');
    },
    { index },
  );
});

test('a slow store makes who gives chunks wait: what is between him and the store is bounded', async () => {
  const { store: fast } = memoryStore();
  let [given, stored, most] = [0, 0, 0];
  const store: ObjectStore = {
    ...fast,
    async create(_name, bytes) {
      for (let turn = 0; turn < 300; turn += 1) await new Promise((resume) => setImmediate(resume));
      most = Math.max(most, given - stored);
      stored += bytes.length;
      return true;
    },
  };
  await withSink(
    async (sink) => {
      const chunk = randomBytes(MB);
      for (let at = 0; at < 140; at += 1) {
        chunk.writeUInt32LE(at);
        await sink.add(chunk);
        given += chunk.length;
      }
      const packs = await sink.flush();
      expect(packs.flatMap(({ chunks }) => chunks)).toHaveLength(140);
    },
    { store },
  );
  // 8 MiB that wait, and packs of 16: one that is filled, two on their way, one that became full meanwhile.
  expect(most).toBeLessThan((8 + 4 * 17) * MB);
}, 60_000);
