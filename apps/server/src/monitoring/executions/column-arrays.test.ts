import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textOf } from '../../foundation/database.ts';
import { instantText, plainArray } from './column-arrays.ts';

it('prints every instant as toISOString does', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
      expect(instantText(date.getTime())).toBe(date.toISOString());
    }),
    { numRuns: 2_000 },
  );
  expect(instantText(null)).toBeNull();
});

it('gives a column as one parameter', () => {
  expect(textOf(plainArray(['a', null, 3], 'uuid'))).toEqual({ text: '$1::uuid[]', values: ['{a,NULL,3}'] });
  expect(textOf(plainArray([], 'int')).values).toEqual(['{}']);
});
