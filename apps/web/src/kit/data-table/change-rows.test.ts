import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { changedPages, changeRows } from './change-rows.ts';

const page = (...data: string[]) => ({ count: 9, data });
const without = (gone: string) => (row: string) => (row === gone ? null : row);

test('closes up over the edge of a page when a row leaves', () => {
  const pages = new Map([
    [0, page('a', 'b', 'c')],
    [1, page('d', 'e', 'f')],
  ]);
  expect([...changedPages(pages, 3, without('b'))]).toEqual([
    [0, { count: 8, data: ['a', 'c', 'd'] }],
    [1, { count: 8, data: ['e', 'f'] }],
  ]);
});

test('leaves a place empty where the next page is not loaded', () => {
  const pages = new Map([
    [0, page('a', 'b', 'c')],
    [2, page('g', 'h', 'i')],
  ]);
  expect([...changedPages(pages, 3, without('a'))]).toEqual([
    [0, { count: 8, data: ['b', 'c'] }],
    [2, { count: 8, data: ['h', 'i'] }],
  ]);
});

test('changes rows in place', () => {
  const pages = new Map([[0, page('a', 'b')]]);
  expect(changedPages(pages, 3, (row) => row.toUpperCase()).get(0)).toEqual({ count: 9, data: ['A', 'B'] });
});

test('touches the pages of this list alone', () => {
  const queries = new QueryClient();
  queries.setQueryData(['list', { page: 0 }], page('a', 'b'));
  queries.setQueryData(['other', { page: 0 }], page('a', 'b'));
  changeRows(queries, ['list'], 3, without('a'));
  expect(queries.getQueryData(['list', { page: 0 }])).toEqual({ count: 8, data: ['b'] });
  expect(queries.getQueryData(['other', { page: 0 }])).toEqual(page('a', 'b'));
});
