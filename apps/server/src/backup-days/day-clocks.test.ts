import { dayNumber, dayOf, dayText, UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { DayClocks } from './day-clocks.ts';

const BERLIN = { timeZone: 'Europe/Berlin', beginHour: 18 };
const APIA = { timeZone: 'Pacific/Apia', beginHour: 0 };
const LOS_ANGELES = { timeZone: 'America/Los_Angeles', beginHour: 0 };
const at = (text: string) => Date.parse(`${text}:00.000Z`);

it('counts by UTC where nothing was chosen', () => {
  const clocks = new DayClocks();
  expect(clocks.isOne).toBe(true);
  expect(dayText(clocks.dayOf(at('2026-03-01T23:59')))).toBe('2026-03-01');
  expect(clocks.recountedFrom()).toBeNull();
});

it('counts each run by the clock that held when it began', () => {
  const clocks = new DayClocks().replacedFrom(BERLIN, at('2026-03-01T17:00'));
  expect(dayText(clocks.dayOf(at('2026-03-01T16:59')))).toBe('2026-03-01');
  expect(dayText(clocks.dayOf(at('2026-03-01T17:00')))).toBe('2026-03-01');
  expect(dayText(clocks.dayOf(at('2026-03-02T16:59')))).toBe('2026-03-01');
  // Runs of both clocks are in this day, so that the next one is the first with the right figures.
  expect(clocks.recountedFrom()).toBe('2026-03-02');
});

it('has the newer clock in place of all that begin after it', () => {
  const clocks = new DayClocks()
    .replacedFrom(BERLIN, at('2026-03-01T17:00'))
    .replacedFrom(LOS_ANGELES, at('2026-02-01T08:00'));
  expect(clocks.all.map(({ timeZone }) => timeZone)).toEqual(['UTC', 'America/Los_Angeles']);
});

it('has every moment in one part of one day, over changes of the clock', () => {
  const moment = fc.integer({ min: at('2026-02-20T00:00'), max: at('2026-04-10T00:00') });
  const clock = fc.constantFrom(UTC_CLOCK, BERLIN, APIA, LOS_ANGELES);
  fc.assert(
    fc.property(fc.array(fc.tuple(clock, moment), { maxLength: 4 }), moment, (changes, now) => {
      const clocks = changes.reduce((earlier, [next, from]) => earlier.replacedFrom(next, from), new DayClocks());
      const day = clocks.dayOf(now);
      const around = clocks.partsOf({ first: day - 3, last: day + 3 });
      const having = around.filter(({ fromMs, toMs }) => fromMs <= now && now < toMs);
      expect(having.map((part) => part.day)).toEqual([day]);
      const held = clocks.all.findLast(({ fromMs }) => fromMs <= now) ?? UTC_CLOCK;
      expect(dayText(day)).toBe(dayOf(held, now));
      const { first, last } = clocks.daysBetween(now, now + 86_400_000);
      expect(first <= day && day <= last).toBe(true);
      const from = clocks.recountedFrom();
      if (from !== null && day >= dayNumber(from)) expect(held).toBe(clocks.newest);
    }),
    { numRuns: tries(300, 10_000) },
  );
});
