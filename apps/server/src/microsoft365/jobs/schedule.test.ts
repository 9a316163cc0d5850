import type { JobSchedule } from '@keepwatch/connectors/ports/microsoft365-engine';
import { describe, expect, it } from 'vitest';
import { isOpen, nextRun } from './schedule.ts';

const DAILY: JobSchedule = {
  type: 'Daily',
  dailyType: 'Everyday',
  time: '22:00',
  dayOfMonth: 1,
  everyMinutes: 60,
  afterJobId: null,
  timeZone: 'UTC',
  retries: 3,
  retryMinutes: 10,
  window: null,
};

/** The next starts of a job, each after the one before. */
function starts(given: Partial<JobSchedule>, after: string, count: number): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  let at = new Date(after);
  for (let number = 0; number < count; number += 1) {
    const next = nextRun({ ...DAILY, ...given }, at);
    found.push(next?.toISOString());
    at = next ?? at;
  }
  return found;
}

const isBusiness = (hour: number) => hour < 120 && hour % 24 >= 8 && hour % 24 < 18;
/** Monday to Friday, 18:00 to 8:00, and all of the weekend. */
const OUT_OF_OFFICE = Array.from({ length: 168 }, (_, hour) => !isBusiness(hour));

describe('a daily schedule', () => {
  it('runs at its time, later today or tomorrow', () => {
    expect(starts({}, '2026-03-02T21:59:59Z', 1)).toEqual(['2026-03-02T22:00:00.000Z']);
    expect(starts({}, '2026-03-02T22:00:00Z', 1)).toEqual(['2026-03-03T22:00:00.000Z']);
  });

  it.each([
    ['Workdays', ['2026-03-06T22:00:00.000Z', '2026-03-09T22:00:00.000Z']],
    ['Weekends', ['2026-03-07T22:00:00.000Z', '2026-03-08T22:00:00.000Z']],
    ['Thursday', ['2026-03-12T22:00:00.000Z', '2026-03-19T22:00:00.000Z']],
    ['Sunday', ['2026-03-08T22:00:00.000Z', '2026-03-15T22:00:00.000Z']],
  ] as const)('runs on %s alone', (dailyType, expected) => {
    expect(starts({ dailyType }, '2026-03-05T23:00:00Z', 2)).toEqual(expected);
  });

  it('runs at the same time of the clock on both sides of a change of clocks', () => {
    const zone = { timeZone: 'Europe/Berlin', time: '22:00' };
    expect(starts(zone, '2026-03-27T22:00:00Z', 2)).toEqual(['2026-03-28T21:00:00.000Z', '2026-03-29T20:00:00.000Z']);
    expect(starts(zone, '2026-10-24T00:00:00Z', 2)).toEqual(['2026-10-24T20:00:00.000Z', '2026-10-25T21:00:00.000Z']);
  });

  it('runs once in the night of the longer day, and an hour later where its time is skipped', () => {
    const zone = { timeZone: 'Europe/Berlin', time: '02:30' };
    expect(starts(zone, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
    expect(starts(zone, '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z']);
  });

  it('means the day of its own time zone', () => {
    const zone = { timeZone: 'Pacific/Auckland', time: '01:00', dailyType: 'Monday' } as const;
    expect(starts(zone, '2026-03-05T00:00:00Z', 1)).toEqual(['2026-03-08T12:00:00.000Z']);
  });
});

describe('a monthly schedule', () => {
  it('runs on the last day of months that are shorter', () => {
    expect(starts({ type: 'Monthly', dayOfMonth: 31 }, '2027-12-31T23:00:00Z', 3)).toEqual([
      '2028-01-31T22:00:00.000Z',
      '2028-02-29T22:00:00.000Z',
      '2028-03-31T22:00:00.000Z',
    ]);
  });

  it('runs this month if its day is still to come', () => {
    expect(starts({ type: 'Monthly', dayOfMonth: 15 }, '2026-03-15T21:00:00Z', 2)).toEqual([
      '2026-03-15T22:00:00.000Z',
      '2026-04-15T22:00:00.000Z',
    ]);
  });
});

it('runs some minutes after its last start, periodically, and continuously a minute after', () => {
  expect(starts({ type: 'Periodically', everyMinutes: 15 }, '2026-03-02T08:00:00Z', 2)).toEqual([
    '2026-03-02T08:15:00.000Z',
    '2026-03-02T08:30:00.000Z',
  ]);
  expect(starts({ type: 'Continuously' }, '2026-03-02T08:00:00Z', 1)).toEqual(['2026-03-02T08:01:00.000Z']);
});

it.each(['Chained', 'Disabled'] as const)('has no time of its own when it is %s', (type) => {
  expect(nextRun({ ...DAILY, type }, new Date('2026-03-02T08:00:00Z'))).toBeNull();
});

describe('a backup window', () => {
  it('delays a start to the next hour in which it is open', () => {
    const given = { window: OUT_OF_OFFICE, time: '09:30' };
    expect(starts(given, '2026-03-02T08:00:00Z', 1)).toEqual(['2026-03-02T18:00:00.000Z']);
    expect(starts({ ...given, time: '19:30' }, '2026-03-02T08:00:00Z', 1)).toEqual(['2026-03-02T19:30:00.000Z']);
  });

  it('counts hours by the clock of the job, in zones that differ by half an hour too', () => {
    const india = { window: OUT_OF_OFFICE, type: 'Periodically', everyMinutes: 10, timeZone: 'Asia/Kolkata' } as const;
    expect(starts(india, '2026-03-02T05:10:00Z', 1)).toEqual(['2026-03-02T12:30:00.000Z']);
    expect(isOpen(india, new Date('2026-03-02T02:29:00Z'))).toBe(true);
    expect(isOpen(india, new Date('2026-03-02T02:30:00Z'))).toBe(false);
  });

  it('without an hour lets the job never run', () => {
    expect(starts({ window: Array(168).fill(false) }, '2026-03-02T08:00:00Z', 1)).toEqual([undefined]);
  });
});
