import { expect, test } from 'vitest';
import { VendorError } from './errors.ts';
import { applySort } from './sort.ts';

const entities = [
  { name: 'job 10', end: null, count: 2 },
  { name: 'Job 9', end: '2026-03-01T10:00:00+02:00', count: 1 },
  { name: 'job 9', end: '2026-03-01T09:00:00+00:00', count: 2 },
];

function namesBy(...keys: object[]): string[] {
  return applySort(entities, JSON.stringify(keys)).map((entity) => entity.name);
}

test('orders case-sensitively and ascending by default', () => {
  expect(namesBy({ property: 'name' })).toEqual(['Job 9', 'job 10', 'job 9']);
});

test('orders downwards', () => {
  expect(namesBy({ property: 'end', direction: 'descending' })).toEqual(['job 9', 'Job 9', 'job 10']);
});

test('orders words and the numbers in them', () => {
  expect(namesBy({ property: 'name', collation: 'lexicographic' }).at(-1)).toBe('job 10');
});

test('puts null first', () => {
  expect(namesBy({ property: 'end' })[0]).toBe('job 10');
});

test('continues with the next key where the first is equal', () => {
  expect(namesBy({ property: 'count' }, { property: 'name', direction: 'descending' })).toEqual([
    'Job 9',
    'job 9',
    'job 10',
  ]);
});

test.each(['[{', '[{"property":1}]', '[{"property":"name","direction":"up"}]', '[{"property":"nmae"}]'])(
  'refuses %s',
  (parameter) => {
    expect(() => applySort(entities, parameter)).toThrow(VendorError);
  },
);
