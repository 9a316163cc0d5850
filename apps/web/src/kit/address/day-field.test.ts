import { expect, test } from 'vitest';
import { dayField } from './url-state.ts';

test('a day of an address is a real one, or none', () => {
  const { read, write } = dayField();
  expect(read(['2026-03-14'])).toBe('2026-03-14');
  expect([read(['2026-99-14']), read(['yesterday']), read([])]).toEqual(['', '', '']);
  expect([write('2026-03-14'), write('')]).toEqual([['2026-03-14'], []]);
});
