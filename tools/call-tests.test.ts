import { expect, it } from 'vitest';
import { TABLE, tableOf, testedCalls } from './call-tests.ts';
import { textOf } from './source-files.ts';

const tested = testedCalls();

it('each call of the Microsoft 365 application has a test of its own that makes it, beside those of what it refuses', () => {
  expect(tested.length).toBeGreaterThan(117);
  expect(tested.filter(({ tests }) => tests.length === 0).map(({ name }) => name)).toEqual([]);
});

it('the page of calls and tests is as they are; `node tools/call-tests.ts` writes it again', () => {
  expect(textOf(TABLE)).toBe(tableOf(tested));
});
