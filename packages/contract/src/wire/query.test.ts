import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeQuery, encodeQuery, MalformedQuery } from './query.ts';

describe('the query conventions', () => {
  it('dots nested groups, repeats keys of lists and quotes dates', () => {
    const query = {
      limit: 20,
      from: new Date('2026-01-01T00:00:00.000Z'),
      filter: { companyIds: ['a', 'b'], anomaly: false },
    };
    expect(decodeURIComponent(encodeQuery(query))).toBe(
      'limit=20&from="2026-01-01T00:00:00.000Z"&filter.companyIds=a&filter.companyIds=b&filter.anomaly=false',
    );
  });

  it('omits what is not given', () => {
    expect(encodeQuery({ sort: undefined, search: null, filter: { state: undefined } })).toBe('');
  });

  it('reads back every text that it wrote, whatever it contains', () => {
    const key = fc.stringMatching(/^[a-z]{1,8}$/);
    const texts = fc.array(fc.string(), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(fc.dictionary(key, fc.oneof(fc.string(), texts)), fc.dictionary(key, fc.string()), (plain, group) => {
        const query = { ...plain, filter: group };
        const read = decodeQuery(encodeQuery(query));
        const expected = Object.keys(group).length > 0 ? query : plain;
        expect(JSON.parse(JSON.stringify(read))).toEqual(
          Object.keys(group).length > 0 ? expected : withoutFilter(expected),
        );
      }),
    );
  });

  it('reads a key that names a prototype as a plain key and changes no object', () => {
    const read = decodeQuery('__proto__.polluted=1&constructor=2');
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(['a=1&a.b=2', 'a.b=2&a=1', 'a.b.c.d.e.f=1', Array.from({ length: 2_001 }, () => 'a=1').join('&')])(
    'refuses what has no meaning (%#)',
    (text) => {
      expect(() => decodeQuery(text)).toThrow(MalformedQuery);
    },
  );
});

function withoutFilter(query: Record<string, unknown>): Record<string, unknown> {
  const { filter: _, ...rest } = query;
  return typeof query['filter'] === 'object' && !Array.isArray(query['filter']) ? rest : query;
}
