import { describe, expect, it } from 'vitest';
import type { Recurrence } from '../../recurrence.ts';
import { dayStart, occurrences } from './occurrences.ts';

function days(recurrence: Recurrence, most = 6): string[] {
  return occurrences(recurrence)
    .take(most)
    .map((day) => dayStart(day).toISOString().slice(0, 10))
    .toArray();
}

describe('the days of a series', () => {
  it.each<[string, Recurrence, string[]]>([
    [
      'every third day, ended by a date',
      {
        pattern: { type: 'daily', interval: 3 },
        range: { type: 'endDate', startDate: '2026-02-26', endDate: '2026-03-05' },
      },
      ['2026-02-26', '2026-03-01', '2026-03-04'],
    ],
    [
      'every second week, from the middle of one',
      {
        pattern: { type: 'weekly', interval: 2, daysOfWeek: ['monday', 'friday'], firstDayOfWeek: 'monday' },
        range: { type: 'numbered', startDate: '2026-03-04', numberOfOccurrences: 4 },
      },
      ['2026-03-06', '2026-03-16', '2026-03-20', '2026-03-30'],
    ],
    [
      'the 31st, or the last day of shorter months',
      {
        pattern: { type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 },
        range: { type: 'noEnd', startDate: '2026-01-31' },
      },
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'],
    ],
    [
      'the last weekday of a quarter',
      {
        pattern: {
          type: 'relativeMonthly',
          interval: 3,
          daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
          index: 'last',
        },
        range: { type: 'numbered', startDate: '2026-01-01', numberOfOccurrences: 2 },
      },
      ['2026-01-30', '2026-04-30'],
    ],
    [
      'the second Tuesday of November',
      {
        pattern: { type: 'relativeYearly', interval: 1, month: 11, daysOfWeek: ['tuesday'], index: 'second' },
        range: { type: 'numbered', startDate: '2026-01-01', numberOfOccurrences: 2 },
      },
      ['2026-11-10', '2027-11-09'],
    ],
    [
      'the 29th of February, or the day before in other years',
      {
        pattern: { type: 'absoluteYearly', interval: 1, month: 2, dayOfMonth: 29 },
        range: { type: 'numbered', startDate: '2027-01-01', numberOfOccurrences: 2 },
      },
      ['2027-02-28', '2028-02-29'],
    ],
  ])('%s', (_what, recurrence, expected) => {
    expect(days(recurrence)).toEqual(expected);
  });

  it('of a pattern that never matches are none, and asking for them ends', () => {
    const pattern = { type: 'weekly', interval: 1, daysOfWeek: [] } as const;
    expect(days({ pattern, range: { type: 'noEnd', startDate: '2026-01-01' } })).toEqual([]);
  });
});
