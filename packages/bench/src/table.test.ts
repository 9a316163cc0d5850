import { expect, it } from 'vitest';
import { tableText } from './table.ts';

it('sets texts to the left and figures to the right, as wide as the widest of their column', () => {
  const text = tableText(
    'Title',
    ['call', 'ms'],
    [
      ['overview', '1.0 met'],
      ['a', '120.5 missed'],
    ],
  );
  expect(text.split('\n')).toEqual([
    'Title',
    'call                ms',
    '--------  ------------',
    'overview       1.0 met',
    'a         120.5 missed',
  ]);
});
