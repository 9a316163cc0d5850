import { expect, test } from 'vitest';
import { instantText, readInstant } from './instant.ts';

test('takes a day from its first to its last instant on the clock of the reader', () => {
  const span = readInstant('2026-11-20');
  expect(span?.from).toEqual(new Date(2026, 10, 20, 0, 0, 0, 0));
  expect(span?.to).toEqual(new Date(2026, 10, 20, 23, 59, 59, 999));
});

test('takes an instant with and without a zone', () => {
  expect(readInstant('2026-11-20T09:30:00Z')?.from.toISOString()).toBe('2026-11-20T09:30:00.000Z');
  expect(readInstant('2026-11-20T09:30+02:00')?.to.toISOString()).toBe('2026-11-20T07:30:00.000Z');
  expect(readInstant('2026-11-20 09:30')?.from).toEqual(new Date(2026, 10, 20, 9, 30));
});

test('reads what it shows', () => {
  const shown = instantText(new Date(2026, 1, 3, 4, 5, 6));
  expect(shown).toBe('2026-02-03 04:05');
  expect(readInstant(shown)?.from).toEqual(new Date(2026, 1, 3, 4, 5));
});

test.each(['2026-02-30', '2026-13-01', '2026-11-20T25:00', '20.11.2026', 'yesterday', '', '2026-11-20T', '1e3'])(
  'does not take %j for one',
  (text) => {
    expect(readInstant(text)).toBeNull();
  },
);
