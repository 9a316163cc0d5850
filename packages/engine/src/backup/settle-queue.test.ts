import { expect, test } from 'vitest';
import { type Settle, SettleQueue } from './settle-queue.ts';

const turn = () => new Promise<void>((resume) => setImmediate(resume));

test('settles in the order of the values, whichever is worked on longest, and works on no more than allowed', async () => {
  const settled: number[] = [];
  let [working, most] = [0, 0];
  const queue = new SettleQueue(4, 100, () => undefined);
  for (let value = 0; value < 30; value += 1)
    await queue.add(async () => {
      working += 1;
      most = Math.max(most, working);
      for (let turns = 0; turns < (value * 7) % 5; turns += 1) await turn();
      working -= 1;
      return () => void settled.push(value);
    });
  await queue.end();
  expect(settled).toEqual(Array.from({ length: 30 }, (_, value) => value));
  expect(most).toBeLessThanOrEqual(4);
});

test('a failure ends it: all before is settled, nothing after, and who adds or waits gets it', async () => {
  for (const where of ['work', 'settle'] as const) {
    const settled: number[] = [];
    const queue = new SettleQueue(8, 100, () => undefined);
    const add = (value: number) =>
      queue.add(async (): Promise<Settle> => {
        await turn();
        if (value === 3 && where === 'work') throw new Error('three failed');
        return () => {
          if (value === 3) throw new Error('three failed');
          settled.push(value);
        };
      });
    for (let value = 0; value < 6; value += 1) await add(value);
    await expect(queue.end()).rejects.toThrow('three failed');
    await expect(add(9)).rejects.toThrow('three failed');
    await queue.idle();
    expect(settled).toEqual([0, 1, 2]);
  }
});

test('asks for haste where so many wait that no more can come, and goes on when they are settled', async () => {
  const waiting: (() => void)[] = [];
  const queue = new SettleQueue(100, 5, () => {
    for (const go of waiting.splice(0)) go();
  });
  let settled = 0;
  for (let value = 0; value < 23; value += 1)
    await queue.add(async () => {
      const stored = new Promise<void>((resume) => waiting.push(resume));
      return async () => {
        await stored;
        settled += 1;
      };
    });
  expect(settled).toBeGreaterThanOrEqual(18);
  for (const go of waiting.splice(0)) go();
  await queue.end();
  expect(settled).toBe(23);
});
