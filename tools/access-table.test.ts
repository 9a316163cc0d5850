import { expect, it } from 'vitest';
import { accessTable, TABLE } from './access-table.ts';
import { textOf } from './source-files.ts';

it('the page of calls, routes and roles is as they are; `node tools/access-table.ts` writes it again', () => {
  expect(textOf(TABLE)).toBe(accessTable());
});
