import { expect, test } from 'vitest';
import { gathered } from '../testing/gathered.ts';
import { forEachAtOnce, inOrder } from './in-order.ts';

async function* given(count: number, failure?: Error) {
  for (let value = 0; value < count; value += 1) yield value;
  if (failure !== undefined) throw failure;
}

test('results come in the order of the values, whichever ends first', async () => {
  let under = 0;
  let most = 0;
  const results = inOrder(given(20), 4, async (value) => {
    under += 1;
    most = Math.max(most, under);
    for (let turn = 0; turn < (value % 3) * 5; turn += 1) await Promise.resolve();
    under -= 1;
    return value;
  });
  expect(await gathered(results)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect(most).toBeLessThanOrEqual(4);
});

test('what was given before the values failed comes before the failure', async () => {
  const received: number[] = [];
  const failure = new Error('broke off');
  const all = async () => {
    for await (const value of inOrder(given(3, failure), 16, async (one) => one)) received.push(value);
  };
  await expect(all()).rejects.toBe(failure);
  expect(received).toEqual([0, 1, 2]);
});

test('a failure of one is thrown in its turn, and no failure is left unhandled', async () => {
  const received: number[] = [];
  const all = async () => {
    const work = async (value: number) => {
      if (value >= 1) throw new Error(`failed ${value}`);
      return value;
    };
    for await (const value of inOrder(given(5), 4, work)) received.push(value);
  };
  await expect(all()).rejects.toThrow('failed 1');
  expect(received).toEqual([0]);
});

test('work on all ends before its first failure, or that of the values, is thrown', async () => {
  for (const failure of [undefined, new Error('no more values')]) {
    let ended = 0;
    const work = async (value: number) => {
      await new Promise((next) => setImmediate(next));
      ended += 1;
      if (failure === undefined && value === 0) throw new Error('failed 0');
    };
    await expect(forEachAtOnce(given(3, failure), 8, work)).rejects.toThrow(failure?.message ?? 'failed 0');
    expect(ended).toBe(3);
  }
});
