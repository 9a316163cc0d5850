import { expect, it } from 'vitest';
import { RecentlyMade } from './recently-made.ts';

it('makes a value once while it is asked for again and again', () => {
  let made = 0;
  const values = new RecentlyMade((text) => ({ text, number: ++made }));
  expect(values.of('a')).toBe(values.of('a'));
  expect(values.of('b')).toEqual({ text: 'b', number: 2 });
});

it('remembers no long texts, and no more values than its limit', () => {
  let made = 0;
  const values = new RecentlyMade(() => ++made);
  values.of('x'.repeat(1_000));
  values.of('x'.repeat(1_000));
  expect(made).toBe(2);
  values.of('first');
  for (let number = 0; number < 10_000; number += 1) {
    values.of(`${number}`);
  }
  const before = made;
  values.of('first');
  expect(made).toBe(before + 1);
});
