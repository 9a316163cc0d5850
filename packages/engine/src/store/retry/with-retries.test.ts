import { expect, test } from 'vitest';
import { EngineError } from '../../model/engine-error.ts';
import { withRetries } from './with-retries.ts';

const AT_ONCE = { retries: 2, firstWaitMs: 0, longestMs: 0 };

test('counts attempts from 1', async () => {
  const attempts: number[] = [];
  const work = async (attempt: number) => {
    attempts.push(attempt);
    if (attempt < 3) throw new EngineError('store-unreachable', 'not yet', { isRetryable: true });
    return 'done';
  };
  expect(await withRetries(work, AT_ONCE)).toBe('done');
  expect(attempts).toEqual([1, 2, 3]);
});

test('throws a mistake of the program at once', async () => {
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    throw new TypeError('a mistake');
  };
  await expect(withRetries(work, AT_ONCE)).rejects.toThrow('a mistake');
  expect(attempts).toBe(1);
});
