import { expect, test } from 'vitest';
import { latenessOf } from './lateness.ts';

const now = new Date('2026-03-15T12:00:00.000Z');

test('says how late in the largest unit that is full', () => {
  expect(latenessOf('2026-03-15T11:59:00.000Z', now)).toBe('1 minute overdue');
  expect(latenessOf('2026-03-15T11:01:00.000Z', now)).toBe('59 minutes overdue');
  expect(latenessOf('2026-03-15T09:30:00.000Z', now)).toBe('2 hours overdue');
  expect(latenessOf('2026-03-14T12:00:00.000Z', now)).toBe('1 day overdue');
  expect(latenessOf('2025-12-15T12:00:00.000Z', now)).toBe('90 days overdue');
});

test('does not call a job late within the first minute, nor before its time', () => {
  expect(latenessOf('2026-03-15T11:59:30.000Z', now)).toBe('due now');
  expect(latenessOf('2026-03-15T12:00:10.000Z', now)).toBe('due now');
});

test('has nothing to say of a job that nothing is expected of', () => {
  expect(latenessOf(null, now)).toBeNull();
});
