import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  HISTORY_DAYS,
  OVERLAP_MS,
  searchRanges,
  stepsOf,
  type TimeRange,
  toSearch,
  unreadRanges,
  unwatchedRanges,
  within,
  without,
} from './history-ranges.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-03-02T08:00:00.000Z');

function before(ms: number): Date {
  return new Date(NOW.getTime() - ms);
}

const ranges = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 99 * DAY_MS }), fc.integer({ min: 1, max: 20 * DAY_MS })), { maxLength: 6 })
  .map((all) => all.map(([ago, length]): TimeRange => ({ from: before(ago + length), to: before(ago) })));

function lengthMs(all: readonly TimeRange[]): number {
  return all.reduce((sum, { from, to }) => sum + to.getTime() - from.getTime(), 0);
}

describe('the unread ranges', () => {
  it('are the last 100 days at first', () => {
    expect(unreadRanges(null, [], NOW)).toEqual([{ from: before(HISTORY_DAYS * DAY_MS), to: NOW }]);
  });

  it('are the time since the last sync, with an overlap', () => {
    expect(unreadRanges(before(300_000), [], NOW)).toEqual([{ from: before(300_000 + OVERLAP_MS), to: NOW }]);
  });

  it('are the overlap alone when the clock was set back', () => {
    expect(unreadRanges(new Date(NOW.getTime() + DAY_MS), [], NOW)).toEqual([{ from: before(OVERLAP_MS), to: NOW }]);
  });

  it('include what earlier syncs left of the last 100 days', () => {
    const left = [{ from: before(200 * DAY_MS), to: before(90 * DAY_MS) }];
    expect(unreadRanges(before(0), left, NOW)).toEqual([
      { from: before(100 * DAY_MS), to: before(90 * DAY_MS) },
      { from: before(OVERLAP_MS), to: NOW },
    ]);
  });

  it('are sorted and do not overlap, whatever was left', () => {
    fc.assert(
      fc.property(ranges, (left) => {
        const unread = unreadRanges(before(0), left, NOW);
        for (const [index, range] of unread.entries()) {
          expect(range.from < range.to).toBe(true);
          const next = unread[index + 1];
          if (next !== undefined) expect(range.to < next.from).toBe(true);
        }
      }),
    );
  });
});

describe('the steps', () => {
  it('cover all unread ranges once, newest first', () => {
    fc.assert(
      fc.property(ranges, (left) => {
        const unread = unreadRanges(before(0), left, NOW);
        const steps = stepsOf(unread);
        expect(lengthMs(steps)).toBe(lengthMs(unread));
        for (const [index, step] of steps.entries()) {
          const next = steps[index + 1];
          if (next !== undefined) expect(next.to <= step.from).toBe(true);
        }
        expect(steps.reduce((rest, step) => without(rest, step), unread)).toEqual([]);
      }),
    );
  });

  it('begin with the newest days, one by one', () => {
    const [first, second, third] = stepsOf(unreadRanges(null, [], NOW));
    expect(first?.from.toISOString()).toBe('2026-03-01T00:00:00.000Z');
    expect(second?.from.toISOString()).toBe('2026-02-28T00:00:00.000Z');
    expect(lengthMs([third ?? { from: NOW, to: NOW }])).toBe(2 * DAY_MS);
  });

  it('are at most 25 for the first sync, as each step evaluates later runs again', () => {
    expect(stepsOf(unreadRanges(null, [], NOW)).length).toBeLessThanOrEqual(25);
  });
});

describe('the search for missed runs', () => {
  const days = (from: number, to: number): TimeRange => ({ from: before(from * DAY_MS), to: before(to * DAY_MS) });

  it('covers ranges that were unread for more than an hour, not those that every sync reads', () => {
    const outage = { from: before(OVERLAP_MS + 3_600_000), to: NOW };
    expect(toSearch([days(50, 49), { from: before(OVERLAP_MS + 300_000), to: NOW }])).toEqual([days(50, 49)]);
    expect(toSearch([outage])).toEqual([outage]);
  });

  it('extends around the ranges read, to find gaps that end in them, but not into unread ranges', () => {
    expect(searchRanges([days(50, 49)], [days(46, 45)], NOW)).toEqual([days(58, 46), days(45, 41)]);
    expect(searchRanges([days(30, 20), days(10, 0)], [], NOW)).toEqual([days(38, 0)]);
  });

  it('covers the parts of a step that are in the ranges to search', () => {
    expect(within([days(10, 5)], [days(12, 8), days(6, 0)])).toEqual([days(10, 8), days(6, 5)]);
    expect(within([days(10, 5)], [days(4, 0)])).toEqual([]);
  });
});

describe('the ranges with the last runs of jobs that may have stalled unnoticed', () => {
  const days = (from: number, to: number): TimeRange => ({ from: before(from * DAY_MS), to: before(to * DAY_MS) });
  const ever = (to: number): TimeRange => ({ from: new Date(0), to: before(to * DAY_MS) });

  it('are the range read up to now, and all time up to an earlier range that was read late', () => {
    expect(unwatchedRanges([days(3, 0)], [], NOW)).toEqual([days(3, 0)]);
    expect(unwatchedRanges([days(50, 49)], [], NOW)).toEqual([ever(49)]);
    expect(unwatchedRanges([days(50, 49), days(3, 0)], [], NOW)).toEqual([ever(49), days(3, 0)]);
  });

  it('never begin before an unread range', () => {
    expect(unwatchedRanges([days(100, 20), days(10, 0)], [days(20, 10)], NOW)).toEqual([days(10, 0)]);
    expect(unwatchedRanges([days(100, 1)], [days(1, 0)], NOW)).toEqual([]);
  });
});
