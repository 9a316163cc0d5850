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

describe('what is unread', () => {
  it('is the last 100 days at first', () => {
    expect(unreadRanges(null, [], NOW)).toEqual([{ from: before(HISTORY_DAYS * DAY_MS), to: NOW }]);
  });

  it('is what came since the last sync, with an overlap', () => {
    expect(unreadRanges(before(300_000), [], NOW)).toEqual([{ from: before(300_000 + OVERLAP_MS), to: NOW }]);
  });

  it('is the overlap alone when the clock was set back', () => {
    expect(unreadRanges(new Date(NOW.getTime() + DAY_MS), [], NOW)).toEqual([{ from: before(OVERLAP_MS), to: NOW }]);
  });

  it('is what earlier syncs left too, no further back than 100 days', () => {
    const left = [{ from: before(200 * DAY_MS), to: before(90 * DAY_MS) }];
    expect(unreadRanges(before(0), left, NOW)).toEqual([
      { from: before(100 * DAY_MS), to: before(90 * DAY_MS) },
      { from: before(OVERLAP_MS), to: NOW },
    ]);
  });

  it('is in order and without overlaps, whatever was left', () => {
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
  it('cover all that is unread, once, newest first', () => {
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

  it('begin with the days that people look at, one by one', () => {
    const [first, second, third] = stepsOf(unreadRanges(null, [], NOW));
    expect(first?.from.toISOString()).toBe('2026-03-01T00:00:00.000Z');
    expect(second?.from.toISOString()).toBe('2026-02-28T00:00:00.000Z');
    expect(lengthMs([third ?? { from: NOW, to: NOW }])).toBe(2 * DAY_MS);
  });

  it('are at most 25 for the first sync: what lies after a step is judged again with it', () => {
    expect(stepsOf(unreadRanges(null, [], NOW)).length).toBeLessThanOrEqual(25);
  });
});

describe('the search for missed runs', () => {
  const days = (from: number, to: number): TimeRange => ({ from: before(from * DAY_MS), to: before(to * DAY_MS) });

  it('is for what was unread for more than an hour, not for what every sync reads', () => {
    const outage = { from: before(OVERLAP_MS + 3_600_000), to: NOW };
    expect(toSearch([days(50, 49), { from: before(OVERLAP_MS + 300_000), to: NOW }])).toEqual([days(50, 49)]);
    expect(toSearch([outage])).toEqual([outage]);
  });

  it('looks around what was read, for the gaps that end in it, and never where nothing could be read', () => {
    expect(searchRanges([days(50, 49)], [days(46, 45)], NOW)).toEqual([days(58, 46), days(45, 41)]);
    expect(searchRanges([days(30, 20), days(10, 0)], [], NOW)).toEqual([days(38, 0)]);
  });

  it('is wanted in the parts of a step that lie in what it is for', () => {
    expect(within([days(10, 5)], [days(12, 8), days(6, 0)])).toEqual([days(10, 8), days(6, 5)]);
    expect(within([days(10, 5)], [days(4, 0)])).toEqual([]);
  });
});

describe('the last runs of jobs that may have fallen silent unseen', () => {
  const days = (from: number, to: number): TimeRange => ({ from: before(from * DAY_MS), to: before(to * DAY_MS) });
  const ever = (to: number): TimeRange => ({ from: new Date(0), to: before(to * DAY_MS) });

  it('lie in what was read up to now, and in or before an earlier stretch that was read late', () => {
    expect(unwatchedRanges([days(3, 0)], [], NOW)).toEqual([days(3, 0)]);
    expect(unwatchedRanges([days(50, 49)], [], NOW)).toEqual([ever(49)]);
    expect(unwatchedRanges([days(50, 49), days(3, 0)], [], NOW)).toEqual([ever(49), days(3, 0)]);
  });

  it('lie never before what is still unread', () => {
    expect(unwatchedRanges([days(100, 20), days(10, 0)], [days(20, 10)], NOW)).toEqual([days(10, 0)]);
    expect(unwatchedRanges([days(100, 1)], [days(1, 0)], NOW)).toEqual([]);
  });
});
