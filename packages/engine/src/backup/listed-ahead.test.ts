import { expect, test } from 'vitest';
import { listedAhead } from './listed-ahead.ts';

async function* numbers(count: number, failure?: Error) {
  for (let number = 0; number < count; number += 1) yield number;
  if (failure !== undefined) throw failure;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Sizes of the batches when each takes so long; all that can be listed is listed by then. */
async function sizes(count: number, tookMs: number): Promise<number[]> {
  const found: number[] = [];
  let nowMs = 0;
  let next = 0;
  for await (const batch of listedAhead(numbers(count), 8, () => nowMs)) {
    for (const number of batch) expect(number).toBe(next++);
    found.push(batch.length);
    nowMs += tookMs;
    for (let at = 0; at < count; at += 1) await turn();
  }
  expect(next).toBe(count);
  return found;
}

test('batches double while they are worked off within half a minute', async () => {
  const [first = 0, ...later] = await sizes(300, 1_000);
  expect(first).toBeLessThanOrEqual(8);
  expect(later).toEqual([8, 16, 32, 64, 128, 300 - first - 248]);
});

test('batches stay small where each takes long', async () => {
  expect(Math.max(...(await sizes(50, 60_000)))).toBe(8);
});

test('a value is given as soon as it is listed', async () => {
  const hanging = Promise.withResolvers<void>();
  async function* slow() {
    yield 1;
    await hanging.promise;
    yield 2;
  }
  const batches = listedAhead(slow(), 8);
  expect(await batches.next()).toEqual({ value: [1], done: false });
  hanging.resolve();
  expect(await batches.next()).toEqual({ value: [2], done: false });
  expect(await batches.next()).toMatchObject({ done: true });
});

test('a failure of the list comes after all that was listed before', async () => {
  const found: number[] = [];
  const read = async () => {
    for await (const batch of listedAhead(numbers(20, new Error('broken')), 3)) found.push(...batch);
  };
  await expect(read()).rejects.toThrow('broken');
  expect(found).toHaveLength(20);
});

test('a list that is left is read no further', async () => {
  let isLeft = false;
  async function* endless() {
    try {
      for (let number = 0; ; number += 1) {
        await turn();
        yield number;
      }
    } finally {
      isLeft = true;
    }
  }
  for await (const _ of listedAhead(endless(), 2)) break;
  expect(isLeft).toBe(true);
});
