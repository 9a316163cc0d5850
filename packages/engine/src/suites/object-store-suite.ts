import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';

/** A store of one kind, for the suite. */
export interface StoreHarness {
  /** A place where nothing is yet. */
  makePlace(): Promise<StorePlaceUnderTest>;
  stop(): Promise<void>;
}

export interface StorePlaceUnderTest {
  open(): Promise<ObjectStore>;
  /** What is there besides the objects: temporary files, unfinished uploads. */
  leftovers(): Promise<string[]>;
}

/** More than two pages of any store. */
const MANY = 2_100;
const LARGEST_BYTES = 64 * 2 ** 20;
const LONG_MS = 120_000;

/** The contract of `ObjectStore`, as tests that every kind of store passes. */
export function objectStoreSuite(kind: string, start: () => Promise<StoreHarness>): void {
  describe(`${kind} as an object store`, () => {
    let harness: StoreHarness;
    let place: StorePlaceUnderTest;
    let store: ObjectStore;
    beforeAll(async () => {
      harness = await start();
    }, LONG_MS);
    afterAll(() => harness?.stop(), LONG_MS);
    beforeEach(async () => {
      place = await harness.makePlace();
      store = await place.open();
      return () => store.close();
    }, LONG_MS);
    const subject = { store: () => store, place: () => place };
    writingPromises(subject);
    readingPromises(subject);
    listingPromises(subject);
    deletingPromises(subject);
    refusingPromises(subject);
  });
}

interface Subject {
  store(): ObjectStore;
  place(): StorePlaceUnderTest;
}

function writingPromises({ store, place }: Subject): void {
  test.each([0, 1, 100_000])(
    'gives back an object of %d bytes as it was, also to who opens the store later',
    async (size) => {
      const bytes = randomBytes(size);
      expect(await store().create('packs/ab/some-object', bytes)).toBe(true);
      expect(await store().read('packs/ab/some-object')).toEqual(bytes);
      const later = await place().open();
      expect(await later.read('packs/ab/some-object')).toEqual(bytes);
      await later.close();
    },
  );

  test('takes an object of 64 MiB, and gives ranges of it', { timeout: LONG_MS }, async () => {
    const bytes = randomBytes(LARGEST_BYTES);
    expect(await store().create('packs/large', bytes)).toBe(true);
    expect((await store().read('packs/large')).equals(bytes)).toBe(true);
    const start = LARGEST_BYTES - 70_000;
    expect((await store().readRange('packs/large', start, 70_000)).equals(bytes.subarray(start))).toBe(true);
    expect(await store().create('packs/large', bytes.subarray(1))).toBe(false);
    expect(await namesOf(store(), '')).toEqual(['packs/large']);
    expect(await place().leftovers()).toEqual([]);
  });

  test('does not take an object into memory that is larger than any of ours', { timeout: LONG_MS }, async () => {
    await store().create('too-large', Buffer.alloc(LARGEST_BYTES + 1));
    await expect(store().read('too-large')).rejects.toMatchObject({ code: 'damaged', isRetryable: false });
    expect(await store().readRange('too-large', LARGEST_BYTES, 1)).toEqual(Buffer.alloc(1));
  });

  test('leaves an object that exists as it is, and says so', async () => {
    expect(await store().create('journals/a/00000001', Buffer.from('first'))).toBe(true);
    expect(await store().create('journals/a/00000001', Buffer.from('second'))).toBe(false);
    expect(String(await store().read('journals/a/00000001'))).toBe('first');
    expect((await factsOf(store(), '')).map(({ sizeBytes }) => sizeBytes)).toEqual([5]);
  });

  test('lets exactly one of 20 writers of a name win, whose bytes are there', { timeout: LONG_MS }, async () => {
    const second = await place().open();
    for (const round of ['a', 'b', 'c']) {
      const name = `journals/${round}/00000001`;
      const writers = Array.from({ length: 20 }, (_, writer) => `${round} ${writer}: ${'x'.repeat(writer * 700)}`);
      const won = await Promise.all(
        writers.map((text, index) => (index % 2 === 0 ? store() : second).create(name, Buffer.from(text))),
      );
      const winners = writers.filter((_, index) => won[index]);
      expect(winners).toHaveLength(1);
      expect([String(await store().read(name)), String(await second.read(name))]).toEqual([winners[0], winners[0]]);
    }
    await second.close();
    expect(await place().leftovers()).toEqual([]);
  });

  test('takes 200 objects at once', { timeout: LONG_MS }, async () => {
    const objects = Array.from({ length: 200 }, (_, index) => ({ name: `packs/${index}`, bytes: randomBytes(5_000) }));
    const created = await Promise.all(objects.map(({ name, bytes }) => store().create(name, bytes)));
    expect(created.every(Boolean)).toBe(true);
    const read = await Promise.all(objects.map(({ name }) => store().read(name)));
    expect(read.every((bytes, index) => objects[index]?.bytes.equals(bytes))).toBe(true);
    expect(await place().leftovers()).toEqual([]);
  });

  test('does not keep the bytes: who changes them afterwards does not change the object', async () => {
    const bytes = Buffer.from('as it was written');
    await store().create('a', bytes);
    bytes.fill(0);
    expect(String(await store().read('a'))).toBe('as it was written');
  });
}

function readingPromises({ store }: Subject): void {
  test('gives exactly the range that is asked for', async () => {
    await store().create('a', Buffer.from('0123456789'));
    expect(String(await store().readRange('a', 0, 10))).toBe('0123456789');
    expect(String(await store().readRange('a', 3, 4))).toBe('3456');
    expect(String(await store().readRange('a', 9, 1))).toBe('9');
    expect(await store().readRange('a', 4, 0)).toHaveLength(0);
    expect(await store().readRange('a', 10, 0)).toHaveLength(0);
  });

  test.each([
    [0, 11],
    [9, 2],
    [10, 1],
    [50, 10],
    [11, 0],
  ])('says damaged rather than give a short answer: from %d on, %d bytes of 10', async (start, length) => {
    await store().create('a', Buffer.from('0123456789'));
    await expect(store().readRange('a', start, length)).rejects.toMatchObject({ code: 'damaged', isRetryable: false });
  });

  test('says damaged for any range of an empty object', async () => {
    await store().create('a', Buffer.alloc(0));
    await expect(store().readRange('a', 0, 1)).rejects.toMatchObject({ code: 'damaged' });
    expect(await store().readRange('a', 0, 0)).toHaveLength(0);
  });

  test('says not-found for what is not there, and that trying again does not help', async () => {
    const absent = { name: 'EngineError', code: 'not-found', isRetryable: false };
    await expect(store().read('packs/none')).rejects.toMatchObject(absent);
    await expect(store().readRange('packs/none', 0, 1)).rejects.toMatchObject(absent);
    await expect(store().readRange('packs/none', 0, 0)).rejects.toMatchObject(absent);
  });

  test.each([
    [-1, 1],
    [0, -1],
    [0.5, 1],
    [0, Number.NaN],
    [Number.MAX_VALUE, 1],
  ])('refuses a range that is none: %d, %d', async (start, length) => {
    await store().create('a', Buffer.from('0123456789'));
    await expect(store().readRange('a', start, length)).rejects.toMatchObject({ code: 'bad-request' });
  });
}

function listingPromises({ store }: Subject): void {
  test('lists thousands of objects in the order of their names, by prefix', { timeout: LONG_MS }, async () => {
    const names = Array.from({ length: MANY }, (_, index) => `packs/${(index % 7).toString(16)}/${index}`);
    await forEachAtOnce(iterate(names), 16, async (name) => void (await store().create(name, Buffer.from(name))));
    const facts = await factsOf(store(), 'packs/');
    expect(facts.map(({ name }) => name)).toEqual(names.toSorted());
    expect(facts.every(({ name, sizeBytes }) => sizeBytes === name.length)).toBe(true);
    const third = names.filter((name) => name.startsWith('packs/3/')).toSorted();
    expect(await namesOf(store(), 'packs/3/')).toEqual(third);
    expect(await namesOf(store(), 'packs/3/1')).toEqual(third.filter((name) => name.startsWith('packs/3/1')));
  });

  test('orders names by their characters: - before / before digits before letters', async () => {
    const names = ['a', 'a-b', 'a-b/c', 'aa', 'b-/x', 'b/x', 'b0', 'ba/x', 'c/-', 'c/0', 'c/a/z', 'c/ab'].filter(
      // In a folder, one name cannot be both a file and a folder.
      (name, _, all) => !all.some((other) => other.startsWith(`${name}/`)),
    );
    for (const name of names.toReversed()) await store().create(name, Buffer.from('x'));
    expect(await namesOf(store(), '')).toEqual(names.toSorted());
    expect(await namesOf(store(), 'b')).toEqual(['b-/x', 'b/x', 'b0', 'ba/x']);
    expect(await namesOf(store(), 'c/a')).toEqual(['c/a/z', 'c/ab']);
    expect(await namesOf(store(), 'c/ab')).toEqual(['c/ab']);
    expect(await namesOf(store(), 'nothing/')).toEqual([]);
  });

  test('reports when an object was created, by one clock for all', async () => {
    await store().create('a', Buffer.from('x'));
    await store().create('b', Buffer.from('x'));
    const [first, second] = await factsOf(store(), '');
    if (first === undefined || second === undefined) throw new Error('two objects were created');
    // Servers round to seconds; the clock of the machine of the test is that of the server.
    expect(Math.abs(first.createdAt.getTime() - Date.now())).toBeLessThan(60_000);
    expect(second.createdAt.getTime()).toBeGreaterThanOrEqual(first.createdAt.getTime());
  });

  test('lets who lists stop early', async () => {
    for (const name of ['a', 'b', 'c']) await store().create(name, Buffer.from('x'));
    for await (const { name } of store().list('')) {
      expect(name).toBe('a');
      break;
    }
    expect(await namesOf(store(), '')).toEqual(['a', 'b', 'c']);
  });
}

function deletingPromises({ store, place }: Subject): void {
  test('deletes an object, also twice, and only that one', async () => {
    await store().create('packs/a', Buffer.from('x'));
    await store().create('packs/a-b', Buffer.from('y'));
    await store().delete('packs/a');
    await store().delete('packs/a');
    await store().delete('packs/never-there');
    expect(await namesOf(store(), '')).toEqual(['packs/a-b']);
    await expect(store().read('packs/a')).rejects.toMatchObject({ code: 'not-found' });
    expect(await place().leftovers()).toEqual([]);
  });

  test('takes a name again after its object was deleted', async () => {
    await store().create('a', Buffer.from('first'));
    expect(String(await store().read('a'))).toBe('first');
    await store().delete('a');
    expect(await store().create('a', Buffer.from('second'))).toBe(true);
    expect(String(await store().read('a'))).toBe('second');
  });
}

function refusingPromises({ store }: Subject): void {
  const wrong = [
    '',
    '/',
    '../a',
    'a/../b',
    '/a',
    'a/',
    'a//b',
    'a\0b',
    'Packs/a',
    'ä',
    'a b',
    'a\\b',
    '.unfinished',
    'a\n',
    'a'.repeat(600),
  ];
  test.each(wrong)('refuses %j as a name, whatever is asked', async (name) => {
    const refused = { name: 'EngineError', code: 'bad-request', isRetryable: false };
    await expect(store().create(name, Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(store().read(name)).rejects.toMatchObject(refused);
    await expect(store().readRange(name, 0, 1)).rejects.toMatchObject(refused);
    await expect(store().delete(name)).rejects.toMatchObject(refused);
    expect(await namesOf(store(), '')).toEqual([]);
  });

  test.each(['/', '../', 'a/../', 'A', 'a//', 'a\0', 'a'.repeat(600)])(
    'refuses to list what begins with %j',
    async (prefix) => {
      await expect(namesOf(store(), prefix)).rejects.toMatchObject({ code: 'bad-request' });
    },
  );

  test('takes a name of 500 characters', async () => {
    const name = `${'a'.repeat(249)}/${'b'.repeat(250)}`;
    expect(await store().create(name, Buffer.from('x'))).toBe(true);
    expect(await namesOf(store(), 'a')).toEqual([name]);
  });
}

async function* iterate<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

async function factsOf(store: ObjectStore, prefix: string): Promise<ObjectFacts[]> {
  const facts: ObjectFacts[] = [];
  for await (const one of store.list(prefix)) facts.push(one);
  return facts;
}

async function namesOf(store: ObjectStore, prefix: string): Promise<string[]> {
  return (await factsOf(store, prefix)).map(({ name }) => name);
}
