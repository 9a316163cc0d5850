import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collations, compareValues } from './collation.ts';

const sign = (value: number | undefined) => (value === undefined ? undefined : Math.sign(value) + 0);

describe('comparing', () => {
  test.each([
    ['ordinal', 'b', 'a', 1],
    ['ordinal', 'B', 'a', -1],
    ['ordinal', 'job 10', 'job 9', -1],
    ['ignorecase', 'JOB', 'job', 0],
    ['ignorecase', 'B', 'a', 1],
    ['lexicographic', 'job 10', 'job 9', 1],
    ['lexicographic', 'résumé', 'resume', 1],
  ] as const)('%s: %j and %j give %i', (collation, one, other, expected) => {
    expect(sign(compareValues(one, other, collation))).toBe(expected);
  });

  test.each(collations)('instants are compared by when they are, also by %s', (collation) => {
    expect(compareValues('2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00Z', collation)).toBe(0);
    expect(sign(compareValues('2026-03-01T10:00:00+02:00', '2026-03-01T09:00:00Z', collation))).toBe(-1);
  });

  test('what only looks like an instant is a text like any other', () => {
    expect(compareValues('2026-13-45T10:00 draft', '2026-13-45T10:00 draft', 'ordinal')).toBe(0);
    expect(sign(compareValues('2026-13-45T10:00 a', '2026-13-45T10:00 b', 'ordinal'))).toBe(-1);
  });

  test('false comes before true, and null is null', () => {
    expect(sign(compareValues(false, true, 'ordinal'))).toBe(-1);
    expect(compareValues(null, null, 'ordinal')).toBe(0);
  });

  test.each([
    ['1', 1],
    [true, 'true'],
    [null, 0],
    [undefined, undefined],
    [{}, {}],
  ])('%j and %j cannot be compared', (one, other) => {
    expect(compareValues(one, other, 'ordinal')).toBeUndefined();
  });

  test.each(collations)('%s is an order: turned round it says the opposite, and a value equals itself', (collation) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        expect(sign(compareValues(one, other, collation))).toBe(sign(-(compareValues(other, one, collation) ?? 0)));
        expect(compareValues(one, one, collation)).toBe(0);
      }),
    );
  });
});
