import { describe, expect, test } from 'vitest';
import { answerCollection, isExpanded } from './collection.ts';

const numbers = Array.from({ length: 1234 }, (_, index) => index);
const toEntity = (number: number) => ({ number, isEven: number % 2 === 0, sub: { digit: number % 10 } });
const answer = (query: Record<string, string>) => answerCollection(numbers, toEntity, query);

describe('paging', () => {
  test('returns a hundred entities by default, with the total', () => {
    const { meta, data } = answer({});
    expect(meta.pagingInfo).toEqual({ total: 1234, count: 100, offset: 0 });
    expect(data).toHaveLength(100);
  });

  test('goes through a collection without a gap or a double', () => {
    const pages = [0, 500, 1000].map((offset) => answer({ limit: '500', offset: String(offset) }));
    expect(pages.map((page) => page.meta.pagingInfo.count)).toEqual([500, 500, 234]);
    expect(pages.flatMap((page) => page.data)).toEqual(numbers.map(toEntity));
  });

  test('answers an empty page past the end', () => {
    expect(answer({ offset: '5000' }).meta.pagingInfo).toEqual({ total: 1234, count: 0, offset: 5000 });
  });

  test('counts what a filter has left', () => {
    const filter = '[{"property":"isEven","operation":"equals","value":true}]';
    expect(answer({ filter, limit: '10' }).meta.pagingInfo).toEqual({ total: 617, count: 10, offset: 0 });
  });

  test('makes the wire form of the asked page alone', () => {
    let made = 0;
    const counting = (number: number) => {
      made += 1;
      return { number };
    };
    answerCollection(numbers, counting, { limit: '5' });
    expect(made).toBe(5);
  });

  test.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '501' }, 'limit'],
    [{ limit: 'many' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ offset: '-1' }, 'offset'],
  ])('refuses %j and names the parameter', (query: Record<string, string>, parameterName) => {
    expect(() => answer(query)).toThrow(expect.objectContaining({ status: 400, where: { parameterName } }));
  });
});

test('sorts before it cuts the page', () => {
  const { data } = answer({ sort: '[{"property":"number","direction":"descending"}]', limit: '2' });
  expect(data.map((entity) => entity.number)).toEqual([1233, 1232]);
});

test.each(['number', '["number"]', '[{"propertyPath":"number"}]'])('select %s keeps that property alone', (select) => {
  expect(answer({ select, limit: '1' }).data).toEqual([{ number: 0 }]);
});

test('refuses a parameter that is given twice', () => {
  expect(() => answerCollection(numbers, toEntity, { limit: ['1', '2'] })).toThrow(/given once/);
});

test('expand may be one name, a list, or repeated', () => {
  expect(isExpanded({}, 'Organization')).toBe(false);
  expect(isExpanded({ expand: 'Organization' }, 'Organization')).toBe(true);
  expect(isExpanded({ expand: 'Other,Organization' }, 'Organization')).toBe(true);
  expect(isExpanded({ expand: ['Other', 'Organization'] }, 'Organization')).toBe(true);
});
