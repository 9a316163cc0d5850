import { expect, test } from 'vitest';
import { gathered } from '../testing/gathered.ts';
import { prefetched } from './prefetched.ts';

test('values come in their order, and no more are read ahead than was said', async () => {
  let [read, given, most, isClosed] = [0, 0, 0, false];
  async function* values() {
    try {
      for (; read < 50; read += 1) {
        most = Math.max(most, read - given);
        yield read;
      }
    } finally {
      isClosed = true;
    }
  }
  const all: number[] = [];
  for await (const value of prefetched(values(), 5)) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    all.push(value);
    given += 1;
  }
  expect(all).toEqual(Array.from({ length: 50 }, (_, at) => at));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(6);
  expect(isClosed).toBe(true);
});

test('the next values are looked up while the caller works on those before', async () => {
  const { promise: isLookedUp, resolve: lookUp } = Promise.withResolvers<void>();
  async function* values() {
    yield 1;
    lookUp();
    yield 2;
  }
  const ahead = prefetched(values(), 2);
  expect((await ahead.next()).value).toBe(1);
  await isLookedUp;
  expect(await gathered(ahead)).toEqual([2]);
});

test('a failure is thrown after the values before it, and no failure is left unhandled', async () => {
  const failure = new Error('broke off');
  async function* values() {
    yield 1;
    throw failure;
  }
  const ahead = prefetched(values(), 10);
  expect((await ahead.next()).value).toBe(1);
  await expect(ahead.next()).rejects.toBe(failure);
});

test('a caller that stops early ends the values too', async () => {
  let isClosed = false;
  async function* values() {
    try {
      for (let value = 0; ; value += 1) yield value;
    } finally {
      isClosed = true;
    }
  }
  for await (const value of prefetched(values(), 3)) if (value === 4) break;
  expect(isClosed).toBe(true);
});
