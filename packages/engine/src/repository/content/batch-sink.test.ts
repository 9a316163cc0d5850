import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { memoryStore } from '../../store/memory-store.fixture.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { KnownPacks } from '../../testing/known-packs.ts';
import type { ChunkIndex } from '../chunk-index.ts';
import { CHUNK_SIZES } from '../identity.ts';
import { deriveKeys, newRepositoryKey } from '../keys.ts';
import type { PackingOptions } from '../packs/batch-workers.ts';
import { packObjectName } from '../packs/pack-builder.ts';
import { checkPack } from '../packs/pack-check.ts';
import { BatchSink } from './batch-sink.ts';
import { segmentsOf } from './content-cutter.ts';
import type { CutAs } from './raw-batch.ts';

const MB = 2 ** 20;
const keys = deriveKeys(newRepositoryKey());
const IN_THREAD: PackingOptions = { hereBytesMax: 0 };
const dying = (how: string): PackingOptions => ({
  hereBytesMax: 0,
  program: new URL(`../packs/dying-pack-worker.fixture.ts${how}`, import.meta.url),
});

async function withSink(
  work: (sink: BatchSink) => Promise<void>,
  { store = memoryStore().store, index = new KnownPacks() as ChunkIndex, packing = IN_THREAD } = {},
): Promise<void> {
  const sink = new BatchSink(store, { keys, sizes: CHUNK_SIZES }, index, packing);
  try {
    await work(sink);
  } finally {
    sink.end();
  }
}

/** Gives one chunk. @returns its id, when it was cut */
async function add(sink: BatchSink, bytes: Uint8Array, as: CutAs = 'chunk'): Promise<() => Promise<string>> {
  const stored = await sink.give([{ name: 'file', as, bytes }]);
  return async () => {
    sink.hurry();
    const [range] = segmentsOf((await stored())[0]);
    return Array.isArray(range) ? String(range[0]) : '';
  };
}

for (const [where, packing] of [
  ['this thread', {}],
  ['threads of the process', IN_THREAD],
] as const) {
  test(`chunks that ${where} packed are whole, each once`, async () => {
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
        const given: (() => Promise<string>)[] = [];
        for (const chunk of chunks) given.push(await add(sink, chunk));
        const again = await add(sink, chunks[5] ?? randomBytes(1));
        const packs = await sink.flush();
        const ids = await Promise.all(given.map((id) => id()));
        expect(await again()).toBe(ids[5]);
        expect(packs.flatMap((pack) => pack.chunks.map(({ id }) => id)).sort()).toEqual(ids.sort());
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
    for (const chunk of chunks) await add(sink, chunk);
    known.add(await sink.flush());
  });
  await withSink(
    async (sink) => {
      for (const chunk of chunks) await add(sink, chunk);
      expect(await sink.flush()).toEqual([]);
      const again = await add(sink, chunks[7] ?? randomBytes(1), 'chunk-again');
      const packed = (await sink.flush()).flatMap((pack) => pack.chunks.map(({ id }) => id));
      expect(packed).toEqual([await again()]);
    },
    { index: known },
  );
});

for (const how of ['', '?exit']) {
  test(`a thread that dies${how === '' ? ' of an error' : ' without a word'} fails what waits and what comes after`, async () => {
    await withSink(
      async (sink) => {
        await add(sink, randomBytes(1_000));
        const failure = /thread that fills packs has failed: .*Nothing of what it held is part of a restore point/;
        await expect(sink.flush()).rejects.toThrow(failure);
        await expect(add(sink, randomBytes(1_000))).rejects.toThrow(failure);
        await expect(sink.flush()).rejects.toThrow(failure);
      },
      { packing: dying(how) },
    );
  });
}

test('a caller that waits for room when a thread dies gets its error, and does not wait for ever', async () => {
  await withSink(
    async (sink) => {
      const adding = Array.from({ length: 20 }, () => add(sink, randomBytes(2 * MB)));
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
      await add(sink, randomBytes(1_000));
      await expect(sink.flush()).rejects.toThrow('no database');
      await expect(add(sink, randomBytes(1_000))).rejects.toThrow('no database');
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
        await add(sink, chunk);
        given += chunk.length;
      }
      const packs = await sink.flush();
      expect(packs.flatMap(({ chunks }) => chunks)).toHaveLength(140);
    },
    { store },
  );
  // 20 MiB that wait, and packs of 16: one that each of two or more threads fills, two on their way, and those that became full meanwhile.
  expect(most).toBeLessThan((20 + 6 * 17) * MB);
}, 60_000);

test('any number of callers that wait for room at once share the batches that come, and each finds its bytes', async () => {
  const index = new KnownPacks();
  const { store } = memoryStore();
  await withSink(
    async (sink) => {
      const chunks = Array.from({ length: 60 }, (_, at) => randomBytes(at % 3 === 0 ? 3 * MB : 500_000));
      const given = await Promise.all(chunks.map((chunk) => add(sink, chunk)));
      const packs = await sink.flush();
      const ids = await Promise.all(given.map((id) => id()));
      expect(new Set(ids).size).toBe(60);
      expect(packs.flatMap((pack) => pack.chunks.map(({ id }) => id)).sort()).toEqual(ids.sort());
      for (const pack of packs) expect(await checkPack(store, keys, pack)).toEqual({ damagedChunks: [], fault: null });
    },
    { store, index },
  );
});

test('a chunk that several batches have while none is stored yet is packed once, in whichever thread that is', async () => {
  await withSink(async (sink) => {
    const shared = randomBytes(200_000);
    const given: (() => Promise<string>)[] = [];
    for (let at = 0; at < 60; at += 1) {
      given.push(await add(sink, at % 3 === 0 ? shared : randomBytes(300_000)));
      if (at % 5 === 0) sink.hurry();
      if (at % 7 === 0) await new Promise((resume) => setImmediate(resume));
    }
    const packs = await sink.flush();
    const ids = packs.flatMap(({ chunks }) => chunks.map(({ id }) => id));
    expect(ids.length).toBe(41);
    expect(new Set(ids)).toEqual(new Set(await Promise.all(given.map((id) => id()))));
  });
});

test('runs share the threads of the process: each gets its own packs, and one that ends leaves the others at work', async () => {
  const stores = [memoryStore(), memoryStore(), memoryStore()];
  const sinks = stores.map(
    ({ store }) => new BatchSink(store, { keys, sizes: CHUNK_SIZES }, new KnownPacks(), IN_THREAD),
  );
  const given = sinks.map(() => Array.from({ length: 30 }, () => randomBytes(500_000)));
  await Promise.all(
    sinks.map(async (sink, run) => {
      for (const bytes of given[run] ?? []) await add(sink, bytes);
      if (run === 0) {
        sink.end();
        return;
      }
      const packs = await sink.flush();
      expect(packs.flatMap(({ chunks }) => chunks)).toHaveLength(30);
      for (const pack of packs)
        expect(await checkPack(stores[run]?.store ?? memoryStore().store, keys, pack)).toMatchObject({ fault: null });
    }),
  );
  for (const sink of sinks) sink.end();
});
