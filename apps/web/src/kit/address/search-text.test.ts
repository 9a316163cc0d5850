import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-text.ts';

test('reads texts and lists', () => {
  expect(parseSearch('?q=a+b&company=1&company=2&state=')).toEqual({ q: 'a b', company: ['1', '2'], state: '' });
});

test('writes what it reads', () => {
  const search = { q: 'ä & ö = #', company: ['1', '2'] };
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('writes nothing for what is not set', () => {
  expect(stringifySearch({ q: undefined, company: [] })).toBe('');
});

test('treats hostile names as names', () => {
  const read = parseSearch('?__proto__=x&constructor=y');
  expect(Object.keys(read)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});
