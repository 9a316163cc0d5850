import { describe, expect, test } from 'vitest';
import { readFilter, readOrder } from './odata-filter.ts';

const entity = {
  displayName: "Zoë O'Brien",
  accountEnabled: true,
  size: 12,
  mail: null,
  receivedDateTime: '2026-03-01T10:00:00Z',
  from: { emailAddress: { address: 'a@b.example' } },
  groupTypes: ['Unified'],
  members: [{ kind: 'user', n: 1 }],
};

describe('a filter matches', () => {
  test.each([
    ["displayName eq 'zoë o''brien'", true],
    ["startsWith(displayName,'zo')", true],
    ["contains(displayName, 'x')", false],
    ['accountEnabled eq true and size ge 12', true],
    ['accountEnabled ne true or size lt 12', false],
    ['not (size gt 3)', false],
    ['mail eq null', true],
    ['receivedDateTime ge 2026-03-01T11:00:00+01:00', true],
    ['receivedDateTime lt 2026-03-01', false],
    ["from/emailAddress/address eq 'a@b.example'", true],
    ["groupTypes/any(c:c eq 'unified')", true],
    ["groupTypes/Any(x: x eq 'Team')", false],
    ["members/any(m:m/kind eq 'user' and m/n eq 1)", true],
    ['groupTypes/any()', true],
    ["displayName in ('x','y')", false],
  ])('%s: %s', (filter, expected) => {
    expect(readFilter(filter)(entity)).toBe(expected);
  });

  test.each(['displayName', "displayName is 'x'", "eq 'x'", '(size eq 1', 'size eq 1 and', 'size eq 1 size'])(
    'never for what is no filter: %s',
    (filter) => {
      expect(() => readFilter(filter)).toThrow('Invalid filter clause');
    },
  );
});

test('an order goes through its keys, each up or down, with nothing before something', () => {
  const rows = [{ a: 2, b: 'x' }, { a: 1, b: 'y' }, { a: 2, b: 'y' }, { b: 'x' }];
  expect(rows.toSorted(readOrder('b desc, a'))).toEqual([
    { a: 1, b: 'y' },
    { a: 2, b: 'y' },
    { b: 'x' },
    { a: 2, b: 'x' },
  ]);
});
