import { describe, expect, test } from 'vitest';
import { everyDay, localDaily, nextSlot, type Schedule, slotNumber, slotsBetween, workDays } from './schedule.ts';

const at = (text: string) => Date.parse(text);
const texts = (slots: number[]) => slots.map((slot) => new Date(slot).toISOString());

describe('a nightly schedule', () => {
  test('is due once a day at its minute', () => {
    const nightly: Schedule = { kind: 'daily', minuteOfDay: 22 * 60 + 15, weekdays: everyDay };
    expect(texts(slotsBetween(nightly, at('2026-03-01T00:00:00Z'), at('2026-03-03T22:15:00Z')))).toEqual([
      '2026-03-01T22:15:00.000Z',
      '2026-03-02T22:15:00.000Z',
    ]);
  });

  test('takes the first instant of a span in and leaves the last out', () => {
    const nightly: Schedule = { kind: 'daily', minuteOfDay: 60, weekdays: everyDay };
    expect(slotsBetween(nightly, at('2026-03-01T01:00:00Z'), at('2026-03-01T01:00:00.001Z'))).toHaveLength(1);
    expect(slotsBetween(nightly, at('2026-03-01T00:00:00Z'), at('2026-03-01T01:00:00Z'))).toHaveLength(0);
  });

  test('rests at the weekend of the customer, also where the night is another day in UTC', () => {
    const auckland = localDaily(8 * 60, workDays, 720);
    const slots = slotsBetween(auckland, at('2026-03-01T00:00:00Z'), at('2026-03-15T00:00:00Z'));
    const localDays = slots.map((slot) => new Date(slot + 720 * 60_000).getUTCDay());
    expect(slots).toHaveLength(10);
    expect(new Set(localDays)).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(new Set(slots.map((slot) => new Date(slot + 720 * 60_000).getUTCHours()))).toEqual(new Set([8]));
  });

  test('keeps the local hour in the west', () => {
    const ohio = localDaily(22 * 60, everyDay, -300);
    expect(ohio).toEqual({ kind: 'daily', minuteOfDay: 180, weekdays: [1, 2, 3, 4, 5, 6, 0] });
  });
});

test('a periodic schedule is due every period, whatever the day', () => {
  const every: Schedule = { kind: 'periodically', periodMinutes: 15, phaseMinutes: 4 };
  const slots = slotsBetween(every, at('2026-03-01T00:00:00Z'), at('2026-03-02T00:00:00Z'));
  expect(slots).toHaveLength(96);
  expect(texts(slots.slice(0, 2))).toEqual(['2026-03-01T00:04:00.000Z', '2026-03-01T00:19:00.000Z']);
});

test('a monthly schedule is due in its week of the month alone', () => {
  const monthly: Schedule = { kind: 'monthly', minuteOfDay: 540, week: 2, weekday: 6 };
  expect(texts(slotsBetween(monthly, at('2026-01-01T00:00:00Z'), at('2026-04-01T00:00:00Z')))).toEqual([
    '2026-01-10T09:00:00.000Z',
    '2026-02-14T09:00:00.000Z',
    '2026-03-14T09:00:00.000Z',
  ]);
});

test('a chained schedule has the slots of what comes before it', () => {
  const before: Schedule = { kind: 'daily', minuteOfDay: 60, weekdays: everyDay };
  const span = [at('2026-03-01T00:00:00Z'), at('2026-03-08T00:00:00Z')] as const;
  expect(slotsBetween({ kind: 'chained', to: before }, ...span)).toEqual(slotsBetween(before, ...span));
});

test('what has no schedule is never due', () => {
  expect(nextSlot({ kind: 'not-scheduled' }, at('2026-03-01T00:00:00Z'))).toBeUndefined();
});

test.each<Schedule>([
  { kind: 'daily', minuteOfDay: 700, weekdays: [6] },
  { kind: 'periodically', periodMinutes: 240, phaseMinutes: 17 },
  { kind: 'continuously', periodMinutes: 240, phaseMinutes: 17 },
  { kind: 'monthly', minuteOfDay: 540, week: 1, weekday: 6 },
])('the next slot of $kind comes after the instant, and is the first that does', (schedule) => {
  const now = at('2026-03-07T09:00:00Z');
  const next = nextSlot(schedule, now);
  if (next === undefined) throw new Error('There is no next slot');
  expect(next).toBeGreaterThan(now);
  expect(slotsBetween(schedule, now + 1, next)).toEqual([]);
});

test('the number of a slot grows by one from run to run', () => {
  const every: Schedule = { kind: 'periodically', periodMinutes: 60, phaseMinutes: 9 };
  const numbers = slotsBetween(every, at('2026-03-01T00:00:00Z'), at('2026-03-01T05:00:00Z')).map((slot) =>
    slotNumber(every, slot),
  );
  expect(numbers.map((number, index) => number - index).every((number) => number === numbers[0])).toBe(true);
});
