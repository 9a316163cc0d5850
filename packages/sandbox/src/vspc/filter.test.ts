import { describe, expect, test } from 'vitest';
import { VendorError } from './errors.ts';
import { applyFilter } from './filter.ts';

const entities = [
  {
    name: 'Daily Backup',
    count: 3,
    info: { host: 'a1' },
    tags: ['x', 'y'],
    end: '2026-03-01T10:00:00+02:00',
    none: null,
  },
  {
    name: 'daily backup 2',
    count: 10,
    info: { host: 'a10' },
    tags: ['y'],
    end: '2026-03-01T09:00:00+00:00',
    none: null,
  },
  { name: 'Offsite', count: 7, info: { host: 'b2' }, tags: [], end: '2026-03-02T00:00:00+00:00', none: 'text' },
];

function namesFor(...expressions: object[]): string[] {
  return applyFilter(entities, JSON.stringify(expressions)).map((entity) => entity.name);
}

describe('a comparison', () => {
  test('is case-sensitive by default', () => {
    expect(namesFor({ property: 'name', operation: 'equals', value: 'daily backup' })).toEqual([]);
    expect(namesFor({ property: 'name', operation: 'equals', collation: 'ignorecase', value: 'daily backup' })).toEqual(
      ['Daily Backup'],
    );
  });

  test('finds a part of a text', () => {
    expect(namesFor({ property: 'name', operation: 'contains', value: 'Backup' })).toEqual(['Daily Backup']);
    expect(
      namesFor({ property: 'name', operation: 'contains', collation: 'ignorecase', value: 'BACKUP' }),
    ).toHaveLength(2);
  });

  test('finds one of several values', () => {
    expect(namesFor({ property: 'count', operation: 'in', value: [3, 7] })).toEqual(['Daily Backup', 'Offsite']);
  });

  test('leaves a value out', () => {
    expect(namesFor({ property: 'name', operation: 'notEquals', value: 'Offsite' })).toHaveLength(2);
  });

  test.each([
    ['lessThan', 7, ['Daily Backup']],
    ['lessThanOrEqual', 7, ['Daily Backup', 'Offsite']],
    ['greaterThan', 7, ['daily backup 2']],
    ['greaterThanOrEqual', 7, ['daily backup 2', 'Offsite']],
  ])('%s orders numbers', (operation, value, names) => {
    expect(namesFor({ property: 'count', operation, value })).toEqual(names);
  });

  test('orders instants whatever their offset', () => {
    expect(namesFor({ property: 'end', operation: 'lessThan', value: '2026-03-01T08:30:00Z' })).toEqual([
      'Daily Backup',
    ]);
  });

  test('orders words and the numbers in them', () => {
    const filter = { property: 'info.host', operation: 'greaterThan', collation: 'lexicographic', value: 'a2' };
    expect(namesFor(filter)).toEqual(['daily backup 2', 'Offsite']);
  });

  test('reaches a property of a property', () => {
    expect(namesFor({ property: 'info.host', operation: 'equals', value: 'b2' })).toEqual(['Offsite']);
  });

  test('looks into lists', () => {
    expect(namesFor({ property: 'tags', operation: 'contains', value: 'x' })).toEqual(['Daily Backup']);
    expect(namesFor({ property: 'tags', operation: 'superset', value: ['x', 'y'] })).toEqual(['Daily Backup']);
    expect(namesFor({ property: 'tags', operation: 'subset', value: ['y'] })).toEqual(['daily backup 2', 'Offsite']);
  });

  test('finds null', () => {
    expect(namesFor({ property: 'none', operation: 'equals', value: null })).toHaveLength(2);
  });
});

describe('several expressions', () => {
  const many = { property: 'count', operation: 'greaterThan', value: 5 };
  const off = { property: 'name', operation: 'contains', value: 'Off' };

  test('must all be true', () => {
    expect(namesFor(many, off)).toEqual(['Offsite']);
  });

  test('can be joined by and, or, not and exclusiveOr', () => {
    expect(namesFor({ operation: 'and', items: [many, off] })).toEqual(['Offsite']);
    expect(namesFor({ operation: 'or', items: [many, off] })).toEqual(['daily backup 2', 'Offsite']);
    expect(namesFor({ operation: 'not', items: [many] })).toEqual(['Daily Backup']);
    expect(namesFor({ operation: 'exclusiveOr', items: [many, off] })).toEqual(['daily backup 2']);
  });
});

describe('at the edges', () => {
  test('an empty list matches everything', () => {
    expect(namesFor()).toHaveLength(3);
  });

  test('one expression needs no list around it', () => {
    const filter = JSON.stringify({ property: 'count', operation: 'equals', value: 7 });
    expect(applyFilter(entities, filter).map((entity) => entity.name)).toEqual(['Offsite']);
  });

  test('an empty and matches always, an empty or and exclusiveOr never', () => {
    expect(namesFor({ operation: 'and', items: [] })).toHaveLength(3);
    expect(namesFor({ operation: 'or', items: [] })).toEqual([]);
    expect(namesFor({ operation: 'exclusiveOr', items: [] })).toEqual([]);
  });

  test('and and or can be nested', () => {
    const small = { property: 'count', operation: 'lessThan', value: 5 };
    const tagged = { property: 'tags', operation: 'contains', value: 'y' };
    const off = { property: 'name', operation: 'equals', value: 'Offsite' };
    const both = { operation: 'and', items: [small, tagged] };
    expect(namesFor({ operation: 'or', items: [both, off] })).toEqual(['Daily Backup', 'Offsite']);
    expect(namesFor({ operation: 'not', items: [{ operation: 'or', items: [both, off] }] })).toEqual([
      'daily backup 2',
    ]);
  });

  test('a number is never the text of it', () => {
    expect(namesFor({ property: 'count', operation: 'equals', value: '3' })).toEqual([]);
    expect(namesFor({ property: 'count', operation: 'contains', value: '3' })).toEqual([]);
  });

  test('null is neither less nor greater than anything', () => {
    for (const operation of ['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual']) {
      expect(namesFor({ property: 'none', operation, value: 'a' })).not.toContain('Daily Backup');
    }
  });

  test('a value that is not given is null', () => {
    expect(namesFor({ property: 'none', operation: 'equals' })).toEqual(['Daily Backup', 'daily backup 2']);
  });

  test('in takes a single value as a list of one, and the collation', () => {
    expect(namesFor({ property: 'count', operation: 'in', value: 10 })).toEqual(['daily backup 2']);
    const upper = { property: 'name', operation: 'in', collation: 'ignorecase', value: ['OFFSITE', 'nothing'] };
    expect(namesFor(upper)).toEqual(['Offsite']);
  });

  test('the empty list is a subset of every list, and every list a superset of it', () => {
    expect(namesFor({ property: 'tags', operation: 'subset', value: [] })).toEqual(['Offsite']);
    expect(namesFor({ property: 'tags', operation: 'superset', value: [] })).toHaveLength(3);
  });

  test('a property that some entities lack is known, and they are left out', () => {
    const uneven = [{ name: 'a', size: 1 }, { name: 'b' }];
    const filter = (operation: string) =>
      applyFilter(uneven, JSON.stringify([{ property: 'size', operation, value: 1 }])).map((entity) => entity.name);
    expect(filter('equals')).toEqual(['a']);
    expect(filter('notEquals')).toEqual(['b']);
  });

  test('of nothing every property is known, and nothing is left', () => {
    expect(applyFilter([], '[{"property":"anything","operation":"equals","value":1}]')).toEqual([]);
  });
});

describe('a wrong filter is refused, and the parameter named', () => {
  test.each([
    ['no JSON', '[{'],
    ['no object', '[1]'],
    ['no operation', '[{"property":"name","value":"x"}]'],
    ['an unknown operation', '[{"property":"name","operation":"like","value":"x"}]'],
    ['an unknown collation', '[{"property":"name","operation":"equals","collation":"fuzzy","value":"x"}]'],
  ])('%s', (_what, parameter) => {
    expect(() => applyFilter(entities, parameter)).toThrow(
      expect.objectContaining({ status: 400, where: { parameterName: 'filter' } }),
    );
  });

  test('an unknown property', () => {
    const filter = JSON.stringify([{ property: 'nmae', operation: 'equals', value: 'x' }]);
    expect(() => applyFilter(entities, filter)).toThrow(VendorError);
    expect(() => applyFilter(entities, filter)).toThrow("Property 'nmae' was not found");
  });

  test.each(['__proto__', 'constructor', 'toString', 'tags.0', 'tags.length', 'name.length', 'info.', ''])(
    'the property %j, which no entity has of its own',
    (property) => {
      const filter = JSON.stringify([{ property, operation: 'notEquals', value: 'x' }]);
      expect(() => applyFilter(entities, filter)).toThrow(VendorError);
    },
  );

  test('an unknown property also deep within', () => {
    const wrong = { property: 'nmae', operation: 'equals', value: 'x' };
    const filter = JSON.stringify([{ operation: 'or', items: [{ operation: 'not', items: [wrong] }] }]);
    expect(() => applyFilter(entities, filter)).toThrow("Property 'nmae' was not found");
  });

  test('a tower of expressions', () => {
    let tower: object = { property: 'count', operation: 'equals', value: 1 };
    for (let level = 0; level < 20; level += 1) tower = { operation: 'not', items: [tower] };
    expect(() => applyFilter(entities, JSON.stringify([tower]))).toThrow(VendorError);
  });
});
