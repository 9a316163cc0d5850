import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('has every field that was given, removed or changed, and none that stayed', () => {
  const before = { name: 'A', settings: { baseUrl: 'https://a.test' }, note: 'x' };
  const after = { name: 'A', settings: { baseUrl: 'https://b.test' }, isEnabled: true };
  expect(changedFields(before, after)).toEqual([
    { name: 'Settings: base url', before: 'https://a.test', after: 'https://b.test' },
    { name: 'Note', before: 'x', after: null },
    { name: 'Is enabled', before: null, after: 'yes' },
  ]);
  expect(changedFields(null, null)).toEqual([]);
  expect(changedFields(null, 'text')).toEqual([{ name: 'Value', before: null, after: 'text' }]);
});

test('has one row a field of many things that were changed together', () => {
  const before = Array.from({ length: 9 }, (_, index) => ({ _id: index, state: `state ${index % 7}`, until: null }));
  expect(changedFields(before, { state: 'resolved' })).toEqual([
    { name: 'State', before: 'state 0, state 1, state 2, state 3, state 4 and 2 more', after: 'resolved' },
    { name: 'Until', before: 'none', after: null },
  ]);
});

test('has a change of a long list, what was added and removed first', () => {
  const before = { companies: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] };
  const row = (companies: string[]) => changedFields(before, { companies })[0];
  expect(row(['A', 'B', 'C', 'D', 'E', 'X', 'Y', 'H'])).toEqual({
    ...{ name: 'Companies', before: 'F, G, A, B, C and 3 more', after: 'X, Y, A, B, C and 3 more' },
  });
  // The order alone.
  expect(row(['A', 'B', 'C', 'D', 'E', 'F', 'H', 'G'])).toEqual({
    ...{ name: 'Companies', before: 'G, H, A, B, C and 3 more', after: 'H, G, A, B, C and 3 more' },
  });
  expect(row(before.companies)).toBeUndefined();
});
