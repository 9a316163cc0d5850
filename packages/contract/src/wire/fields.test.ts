import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { flag, instant, instantInQuery, oneOrMore, page, sortBy, text, webAddress } from './fields.ts';

const paging = z.strictObject(page);

describe('fields of queries and bodies', () => {
  it('accepts a limit as a number or a text, and uses 10 when it is not given', () => {
    expect(paging.parse({ limit: '25' })).toEqual({ limit: 25, offset: 0 });
    expect(paging.parse({ limit: 25, offset: 50 })).toEqual({ limit: 25, offset: 50 });
    expect(paging.parse({})).toEqual({ limit: 10, offset: 0 });
  });

  it.each(['-1', '0', '1001', '1e3', '10.5', ' 10', 'ten', '', '99999999999999999999', ['1', '2']])(
    'refuses %j as a limit',
    (limit) => {
      expect(paging.safeParse({ limit }).success).toBe(false);
    },
  );

  it.each(['1e3', 'ten', ['1', '2']])('says in words what %j is not', (limit) => {
    const { error } = paging.safeParse({ limit });
    expect(error?.issues.map(({ message }) => message)).toEqual(['must be one whole number']);
  });

  it.each(['"2026-01-01T00:00:00.000Z"', '2026-01-01T00:00:00.000Z', '2026-01-01', '"2026-01-01T02:00:00+02:00"'])(
    'reads %s as the same instant in UTC',
    (given) => {
      expect(instantInQuery.parse(given)).toBe('2026-01-01T00:00:00.000Z');
    },
  );

  it.each(['', 'yesterday', '2026-13-01', '2026-02-30T99:00:00Z', '0001-01-01', '9999-12-31', '1767225600000', '"'])(
    'refuses %j as an instant',
    (given) => {
      expect(instantInQuery.safeParse(given).success).toBe(false);
      expect(instant.safeParse(given).success).toBe(false);
    },
  );

  it('reads one value of a list as a list of one', () => {
    expect(oneOrMore(text(10)).parse('a')).toEqual(['a']);
    expect(oneOrMore(text(10)).parse(['a', 'b'])).toEqual(['a', 'b']);
  });

  it('sorts by the fields that are declared, up and down, and by no other', () => {
    const sort = sortBy(['name', 'jobs']);
    expect(sort.parse('-jobs')).toBe('-jobs');
    expect(sort.safeParse('password').success).toBe(false);
  });

  it('accepts a switch as a text', () => {
    expect([flag.parse('true'), flag.parse('false'), flag.parse(true)]).toEqual([true, false, true]);
    expect(flag.safeParse('yes').success).toBe(false);
  });

  it.each(['/', '/monitoring/sources?kind=vac', 'https://status.example.test/a?b=c', 'http://10.0.0.1:8080'])(
    'accepts %j as a link',
    (given) => expect(webAddress.parse(given)).toBe(given),
  );

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<b>a</b>',
    '//elsewhere.test',
    '/\\elsewhere.test',
    'https://',
    'https://a b',
    'elsewhere',
    '',
  ])('refuses %j as a link', (given) => expect(webAddress.safeParse(given).success).toBe(false));

  it('accepts every script in a text and refuses control characters', () => {
    expect(text(50).parse("Zürich 東京 'quoted' <b>\n")).toBe("Zürich 東京 'quoted' <b>\n");
    expect(text(50).safeParse('a\u0000b').success).toBe(false);
  });
});
