import { describe, expect, test } from 'vitest';
import { endedAttempts } from '../world/history.ts';
import { allJobs, buildWorld } from '../world/world.ts';
import { VendorError } from './errors.ts';
import { heatmapRange, toHeatmap } from './heatmap.ts';

const nowMs = Date.parse('2026-11-21T09:00:00Z');
const dayMs = 86_400_000;
const world = buildWorld(1, 6);

describe('the range of the heatmap', () => {
  test('is read from instants of any offset', () => {
    expect(heatmapRange({ from: '2026-11-20T00:00:00+02:00', to: '2026-11-21T00:00:00Z' })).toEqual({
      fromMs: Date.parse('2026-11-19T22:00:00Z'),
      toMs: Date.parse('2026-11-21T00:00:00Z'),
    });
  });

  test('is read also where the plus of an offset arrived as a space', () => {
    const { fromMs } = heatmapRange({ from: '2026-11-20T00:00:00 02:00', to: '2026-11-21T00:00:00Z' });
    expect(fromMs).toBe(Date.parse('2026-11-19T22:00:00Z'));
  });

  test.each([
    [{ to: '2026-11-21T00:00:00Z' }, 'from'],
    [{ from: '2026-11-21T00:00:00Z' }, 'to'],
    [{ from: '', to: '2026-11-21T00:00:00Z' }, 'from'],
    [{ from: '2026-11-21', to: '2026-11-22T00:00:00Z' }, 'from'],
    [{ from: '2026-11-21T00:00:00Z', to: '2026-13-01T00:00:00Z' }, 'to'],
    [{ from: ['2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z'], to: '2026-11-22T00:00:00Z' }, 'from'],
    [{ from: '2026-11-22T00:00:00Z', to: '2026-11-21T00:00:00Z' }, 'to'],
  ])('is refused when it is %j, and names what is wrong', (query, parameterName) => {
    expect(() => heatmapRange(query)).toThrow(VendorError);
    expect(() => heatmapRange(query)).toThrow(expect.objectContaining({ status: 400, where: { parameterName } }));
  });
});

describe('the heatmap', () => {
  const heatmap = toHeatmap(world, nowMs - 4 * dayMs, nowMs, nowMs);
  const sessions = heatmap.dataPerDays.flatMap((day) => day.sessions);

  test('has the sessions of the history, each once, in the order they began', () => {
    const history = allJobs(world).flatMap((job) => endedAttempts(job, nowMs - 4 * dayMs, nowMs, nowMs));
    expect(sessions).toHaveLength(history.length);
    expect(new Set(sessions.map((session) => session.sessionUid)).size).toBe(sessions.length);
    const starts = sessions.map((session) => Date.parse(session.startTime));
    expect(starts).toEqual([...starts].sort((one, other) => one - other));
  });

  test('puts a session on the day of UTC it began, whatever the offset of the customer', () => {
    expect(heatmap.dataPerDays.length).toBeGreaterThanOrEqual(4);
    for (const { date, sessions: ofDay } of heatmap.dataPerDays) {
      for (const session of ofDay) expect(new Date(session.startTime).toISOString().slice(0, 10)).toBe(date);
    }
  });

  test('counts what it lists', () => {
    const { successJobsCount, warningJobsCount, failJobsCount } = heatmap;
    expect(successJobsCount + warningJobsCount + failJobsCount).toBe(sessions.length);
    expect(failJobsCount).toBe(sessions.filter((session) => session.result === 'Failed').length);
  });

  test('has nothing that still runs, and every session lasts as long as it says', () => {
    for (const { startTime, endTime, duration } of sessions) {
      expect(Date.parse(endTime)).toBeLessThanOrEqual(nowMs);
      expect((Date.parse(endTime) - Date.parse(startTime)) / 1000).toBe(duration);
    }
  });

  test('of no time is empty', () => {
    expect(toHeatmap(world, nowMs, nowMs, nowMs)).toMatchObject({ successJobsCount: 0, dataPerDays: [] });
  });
});
