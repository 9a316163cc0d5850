import { expect, test } from 'vitest';
import { gathered } from '../testing/gathered.ts';
import { takenAhead } from './taken-ahead.ts';

test('values come in their order, and no more are taken ahead than was said', async () => {
  let [taken, given, most, isClosed] = [0, 0, 0, false];
  async function* values() {
    try {
      for (; taken < 50; taken += 1) {
        most = Math.max(most, taken - given);
        yield taken;
      }
    } finally {
      isClosed = true;
    }
  }
  const all: number[] = [];
  for await (const value of takenAhead(values(), 5)) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    all.push(value);
    given += 1;
  }
  expect(all).toEqual(Array.from({ length: 50 }, (_, at) => at));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(6);
  expect(isClosed).toBe(true);
});

test('the next values are looked up while somebody works on those before', async () => {
  const { promise: isLookedUp, resolve: lookUp } = Promise.withResolvers<void>();
  async function* values() {
    yield 1;
    lookUp();
    yield 2;
  }
  const ahead = takenAhead(values(), 2);
  expect((await ahead.next()).value).toBe(1);
  await isLookedUp;
  expect(await gathered(ahead)).toEqual([2]);
});

test('a failure is thrown after the values before it, and nobody is left without a listener', async () => {
  const failure = new Error('broke off');
  async function* values() {
    yield 1;
    throw failure;
  }
  const ahead = takenAhead(values(), 10);
  expect((await ahead.next()).value).toBe(1);
  await expect(ahead.next()).rejects.toBe(failure);
});

test('whoever stops early ends the values too', async () => {
  let isClosed = false;
  async function* values() {
    try {
      for (let value = 0; ; value += 1) yield value;
    } finally {
      isClosed = true;
    }
  }
  for await (const value of takenAhead(values(), 3)) if (value === 4) break;
  expect(isClosed).toBe(true);
});
