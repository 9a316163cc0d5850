import { PgDialect } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { Scope } from './scope.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];
const textOf = (scope: Scope) => new PgDialect().sqlToQuery(scope.rows('e'));

describe('Scope', () => {
  it('keeps to the provider, and to the companies where it is limited', () => {
    expect(textOf(new Scope(7, null))).toMatchObject({ sql: '"e".provider_id = $1', params: [7] });
    expect(textOf(new Scope(7, [A]))).toMatchObject({
      sql: '"e".provider_id = $1 and "e".company_id = any($2::uuid[])',
      params: [7, [A]],
    });
  });

  it('reaches nothing where it is limited to no company', () => {
    expect(textOf(new Scope(7, [])).params).toEqual([7, []]);
  });

  it('narrows to what a filter names, never beyond its reach', () => {
    expect(new Scope(7, [A, B]).narrowedTo([B, C]).companyIds).toEqual([B]);
    expect(new Scope(7, [A]).narrowedTo([C]).companyIds).toEqual([]);
    expect(new Scope(7, null).narrowedTo([C]).companyIds).toEqual([C]);
    expect(new Scope(7, [A]).narrowedTo([A.toUpperCase()]).companyIds).toEqual([A]);
  });

  it('stays as it is when the filter names none', () => {
    const scope = new Scope(7, [A]);
    expect(scope.narrowedTo([])).toBe(scope);
    expect(scope.narrowedTo(undefined)).toBe(scope);
  });
});
