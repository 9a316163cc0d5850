import { describe, expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';

/** Work that goes on until `end` is called. */
function held(budget: ByteBudget, bytes: number) {
  const work = Promise.withResolvers<void>();
  const state = { hasBegun: false, end: () => work.resolve() };
  const done = budget.run(bytes, () => {
    state.hasBegun = true;
    return work.promise;
  });
  return Object.assign(state, { done });
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('A byte budget', () => {
  test('never lets running work use more than the limit', async () => {
    const budget = new ByteBudget(100);
    const [one, two, three] = [held(budget, 60), held(budget, 40), held(budget, 1)];
    await soon();
    expect([one.hasBegun, two.hasBegun, three.hasBegun]).toEqual([true, true, false]);
    two.end();
    await two.done;
    await soon();
    expect(three.hasBegun).toBe(true);
  });

  test('runs work that is larger than the limit alone, and lets nothing overtake it', async () => {
    const budget = new ByteBudget(100);
    const [small, large, next] = [held(budget, 1), held(budget, 1_000), held(budget, 1)];
    await soon();
    expect([small.hasBegun, large.hasBegun, next.hasBegun]).toEqual([true, false, false]);
    small.end();
    await small.done;
    await soon();
    expect([large.hasBegun, next.hasBegun]).toEqual([true, false]);
    large.end();
    await large.done;
    await soon();
    expect(next.hasBegun).toBe(true);
  });

  test('frees the bytes of failed work', async () => {
    const budget = new ByteBudget(10);
    await expect(budget.run(10, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(budget.run(10, async () => 'yes')).resolves.toBe('yes');
  });
});
