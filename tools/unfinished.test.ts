import { expect, it } from 'vitest';
import { listFiles, textOf } from './source-files.ts';

/** What `npm run new` leaves to a person, as it marks it; its templates are full of it. */
const UNFINISHED = /\bTODO\b|\b(?:it|test)\.todo\(/;
const TEMPLATES = /^tools\/(?:new\/|unfinished\.test\.ts$)/;

it('no file has a place that was generated and never written', () => {
  const files = listFiles('*.ts', '*.tsx', '*.sql').filter((path) => !TEMPLATES.test(path));
  expect(files.filter((path) => UNFINISHED.test(textOf(path) ?? ''))).toEqual([]);
});
