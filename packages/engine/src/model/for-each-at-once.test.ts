import { expect, test } from 'vitest';
import { forEachAtOnce } from './for-each-at-once.ts';

async function* given(count: number, failure?: Error) {
  for (let value = 0; value < count; value += 1) yield value;
  if (failure !== undefined) throw failure;
}

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
