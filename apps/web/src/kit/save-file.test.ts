import { expect, test } from 'vitest';
import { csvFileName } from './save-file.ts';

test('names an export with a timestamp in UTC', () => {
  expect(csvFileName('DailyChecks', new Date('2026-01-31T14:05:09.123Z'))).toBe('DailyChecks-20260131-140509.csv');
});
