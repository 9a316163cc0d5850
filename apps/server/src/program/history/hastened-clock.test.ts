import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HastenedClock } from './hastened-clock.ts';

const NIGHT = new Date('2026-11-29T22:00:00.000Z');
const at = (time: string) => new Date(`2026-11-29T${time}.000Z`);

/** A clock that begins to run from the night on, when it is this time. */
function runningSince(now: Date): HastenedClock {
  vi.setSystemTime(now);
  const clock = new HastenedClock(NIGHT);
  clock.runFrom(NIGHT);
  return clock;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

it('runs two minutes in a second of ours', () => {
  const clock = runningSince(at('23:30:00'));
  vi.advanceTimersByTime(10_000);
  expect(new Date(clock.now())).toEqual(at('22:20:00'));
});

it('goes on with ours once it has reached the present, so that what changes next is later than the run of the night', () => {
  const clock = runningSince(at('22:05:00'));
  vi.advanceTimersByTime(2_000);
  expect(new Date(clock.now())).toEqual(at('22:04:00'));
  vi.advanceTimersByTime(20_000);
  expect(new Date(clock.now())).toEqual(at('22:05:22'));
});
