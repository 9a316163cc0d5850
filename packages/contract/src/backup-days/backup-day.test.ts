import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { type BackupClock, dayNumber, dayOf, dayText, rangeOfDays, startOfDay } from './backup-day.ts';
import { asUtcMs, isTimeZone, wallTimeOf } from './time-zones.ts';
import { zonedFileText, zonedText } from './zoned-text.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Beirut',
];
const clocks = fc.record({ timeZone: fc.constantFrom(...ZONES), beginHour: fc.integer({ min: 0, max: 23 }) });
const moments = fc.date({ min: new Date('2000-01-03'), max: new Date('2099-12-28'), noInvalidDate: true });

const startText = (clock: BackupClock, day: string) => new Date(startOfDay(clock, day)).toISOString();

/** The first minute at which the clocks show the beginning of a day or a later time: by trying each minute at which it can be. */
function firstMinute({ timeZone, beginHour }: BackupClock, day: string): number {
  const wall = Date.parse(day) + beginHour * 60 * MINUTE_MS;
  let at = wall - 15 * 60 * MINUTE_MS;
  while (asUtcMs(wallTimeOf(new Date(at), timeZone)) < wall) at += MINUTE_MS;
  return at;
}

describe('a backup day', () => {
  it('begins at its hour of the time zone', () => {
    const night = { timeZone: 'Europe/Berlin', beginHour: 18 };
    expect(startText(night, '2026-01-05')).toBe('2026-01-05T17:00:00.000Z');
    expect(startText(night, '2026-07-05')).toBe('2026-07-05T16:00:00.000Z');
    expect(dayOf(night, Date.parse('2026-01-06T16:59:59.999Z'))).toBe('2026-01-05');
    expect(dayOf(night, Date.parse('2026-01-06T17:00:00.000Z'))).toBe('2026-01-06');
  });

  it.each([
    ['America/Havana', 0, '2026-03-08', '2026-03-08T05:00:00.000Z', 'begins when the clocks skip its beginning'],
    ['America/Havana', 0, '2026-11-01', '2026-11-01T04:00:00.000Z', 'begins the first time that they show it'],
    ['Europe/Berlin', 2, '2026-03-29', '2026-03-29T01:00:00.000Z', 'begins when the clocks skip its hour'],
    ['Australia/Lord_Howe', 2, '2026-10-04', '2026-10-03T15:30:00.000Z', 'begins when they skip half of its hour'],
    ['America/Sao_Paulo', 0, '2018-02-18', '2018-02-18T03:00:00.000Z', 'begins once they have gone back before it'],
  ])('%s from %i: %s begins at %s, it %s', (timeZone, beginHour, day, begin) => {
    expect(startText({ timeZone, beginHour }, day)).toBe(begin);
  });

  it('that a zone left out is empty, and its range is not', () => {
    const clock = { timeZone: 'Pacific/Apia', beginHour: 0 };
    expect(startText(clock, '2011-12-30')).toBe(startText(clock, '2011-12-31'));
    expect(dayOf(clock, startOfDay(clock, '2011-12-30'))).toBe('2011-12-31');
    const { from, to } = rangeOfDays(clock, '2011-12-30');
    expect(to >= from).toBe(true);
  });

  it('begins at the first minute at which the clocks show its hour or a later time', () => {
    fc.assert(
      fc.property(clocks, moments, (clock, moment) => {
        const day = moment.toISOString().slice(0, 10);
        expect(startOfDay(clock, day)).toBe(firstMinute(clock, day));
      }),
      { numRuns: tries(40, 1_000) },
    );
  });

  it('does so on every day on which the clocks of these zones change', () => {
    for (const timeZone of ZONES)
      for (const day of daysOfChange(timeZone, 2026))
        for (const beginHour of [0, 2, 23]) {
          const clock = { timeZone, beginHour };
          expect([clock, startOfDay(clock, day)]).toEqual([clock, firstMinute(clock, day)]);
        }
  });

  it('is what is between two beginnings: each moment is of one day', () => {
    fc.assert(
      fc.property(clocks, moments, (clock, moment) => {
        const at = moment.getTime();
        const day = dayOf(clock, at);
        expect(startOfDay(clock, day)).toBeLessThanOrEqual(at);
        expect(startOfDay(clock, dayText(dayNumber(day) + 1))).toBeGreaterThan(at);
        const { from, to } = rangeOfDays(clock, day);
        expect([dayOf(clock, Date.parse(from)), dayOf(clock, Date.parse(to))]).toEqual([day, day]);
      }),
      { numRuns: tries(200, 10_000) },
    );
  });
});

/** The days of a year in which clocks change, and those around them. */
function daysOfChange(timeZone: string, year: number): string[] {
  const ahead = (at: number) => asUtcMs(wallTimeOf(new Date(at), timeZone)) - at;
  const days = Array.from({ length: 365 }, (_, place) => Date.UTC(year, 0, 1) + place * DAY_MS);
  const changes = days.filter((at) => ahead(at) !== ahead(at + DAY_MS));
  return changes.flatMap((at) => [-1, 0, 1].map((days) => new Date(at + days * DAY_MS).toISOString().slice(0, 10)));
}

describe('a time of a zone', () => {
  it('reads as its clocks show it, with how far they are ahead', () => {
    expect(zonedText('Europe/Berlin', '2026-01-31T13:05:09.120Z')).toBe('2026-01-31T14:05:09.120+01:00');
    expect(zonedText('America/St_Johns', '2026-01-31T00:00:00.000Z')).toBe('2026-01-30T20:30:00.000-03:30');
    expect(zonedText('UTC', '2026-01-31T13:05:09.120Z')).toBe('2026-01-31T13:05:09.120Z');
    expect(zonedFileText('Asia/Kathmandu', new Date('2026-01-31T13:05:09Z'))).toBe('2026-01-31T18-50-09+0545');
    expect(zonedFileText('UTC', new Date('2026-01-31T13:05:09Z'))).toBe('2026-01-31T13-05-09Z');
  });

  it('is of a zone that exists', () => {
    expect(['Europe/Berlin', 'UTC'].every(isTimeZone)).toBe(true);
    expect(['Europe/Atlantis', '', 'Berlin Time'].some(isTimeZone)).toBe(false);
  });
});
