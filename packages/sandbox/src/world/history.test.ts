import { describe, expect, test } from 'vitest';
import { endedAttempts, historyDays, lastAttempt, lastEndedAttempt, nextRunMs } from './history.ts';
import type { Character, Job } from './job.ts';
import { attemptsOf, sessionUid } from './runs.ts';
import { dayMs, slotsBetween } from './schedule.ts';
import { conditionAt, cyclePosition, isEnabled } from './trouble.ts';
import { allJobs, buildWorld } from './world.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const jobs = allJobs(buildWorld(1, 60));
const withCharacter = (character: Character) => jobs.filter((job) => job.character === character);
const runsOf = (job: Job, days: number) => endedAttempts(job, now - days * dayMs, now, now);

describe('the last run', () => {
  test('is the newest of the history when it has ended', () => {
    for (const job of jobs) {
      const last = lastAttempt(job, now);
      if (!last || last.endMs > now) continue;
      expect(runsOf(job, historyDays).at(-1)).toEqual(last);
    }
  });

  test('has started, and none started after it', () => {
    for (const job of jobs.slice(0, 300)) {
      const last = lastAttempt(job, now);
      if (!last) continue;
      expect(last.startMs).toBeLessThanOrEqual(now);
      const later = slotsBetween(job.schedule, last.slot + 1, now).flatMap((slot) => attemptsOf(job, slot));
      expect(later.filter((attempt) => attempt.startMs <= now)).toEqual([]);
    }
  });

  test('that ended is the one before while a job runs', () => {
    const running = jobs.filter((job) => (lastAttempt(job, now)?.endMs ?? 0) > now);
    expect(running.length).toBeGreaterThan(0);
    for (const job of running) {
      const ended = lastEndedAttempt(job, now);
      if (ended) expect(ended.endMs).toBeLessThanOrEqual(now);
      expect(ended).toEqual(runsOf(job, historyDays).at(-1));
    }
  });

  test('of a job that never ran is none', () => {
    expect(withCharacter('never-ran').length).toBeGreaterThan(5);
    for (const job of withCharacter('never-ran')) expect(lastAttempt(job, now)).toBeUndefined();
  });
});

describe('history', () => {
  test('does not change when it is asked for later, but for what has ended since', () => {
    for (const job of jobs.slice(0, 200)) {
      const early = endedAttempts(job, now - 3 * dayMs, now, now);
      const late = endedAttempts(job, now - 3 * dayMs, now, now + 30 * dayMs);
      expect(late.slice(0, early.length)).toEqual(early);
    }
  });

  test('reaches back a hundred days and no further', () => {
    const starts = jobs
      .slice(0, 100)
      .flatMap((job) => endedAttempts(job, 0, now, now))
      .map((attempt) => attempt.startMs);
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(now - historyDays * dayMs);
    expect(Math.min(...starts)).toBeLessThan(now - (historyDays - 2) * dayMs);
  });

  test('falls into the same days however it is cut', () => {
    const job = jobs.find((entry) => entry.schedule.kind === 'periodically');
    if (!job) throw new Error('There is no periodic job');
    const days = Array.from({ length: 10 }, (_, index) => now - (10 - index) * dayMs);
    const cut = days.flatMap((from) => endedAttempts(job, from, from + dayMs, now));
    expect(cut).toEqual(runsOf(job, 10));
  });

  test('has no two sessions of one id', () => {
    const ids = jobs.flatMap((job) => runsOf(job, 4)).map(sessionUid);
    expect(ids.length).toBeGreaterThan(8000);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('never lets two sessions of a job overlap', () => {
    for (const job of jobs) {
      const runs = runsOf(job, 7);
      for (const [index, run] of runs.entries()) {
        const before = runs[index - 1];
        if (before) expect(run.startMs).toBeGreaterThan(before.endMs);
      }
    }
  });
});

describe('a run', () => {
  test('has several sessions when it was retried, of which only the last can be a success', () => {
    const retried = jobs.flatMap((job) => runsOf(job, 7)).filter((attempt) => attempt.number > 0);
    expect(retried.length).toBeGreaterThan(50);
    const [first] = retried.filter((attempt) => attempt.result === 'Success');
    if (!first) throw new Error('No retry was a success');
    const attempts = attemptsOf(first.job, first.slot);
    expect(attempts.slice(0, -1).map((attempt) => attempt.result)).toEqual(attempts.slice(0, -1).map(() => 'Failed'));
    expect(attempts.at(-1)?.result).toBe('Success');
  });

  test('that failed or warned says why, with every mark filled in', () => {
    const troubled = jobs.flatMap((job) => runsOf(job, 20)).filter((attempt) => attempt.result !== 'Success');
    for (const attempt of troubled) {
      expect(attempt.message).toBeTruthy();
      expect(attempt.message).not.toMatch(/[{}]/);
    }
    expect(new Set(troubled.map((attempt) => attempt.message)).size).toBeGreaterThan(100);
  });

  test('of a chained job starts when the one before has ended', () => {
    const chained = jobs.filter((job) => job.after);
    expect(chained.length).toBeGreaterThan(10);
    for (const job of chained) {
      const last = lastEndedAttempt(job, now);
      if (!last || !job.after || last.number > 0) continue;
      const before = attemptsOf(job.after, last.slot).at(-1);
      expect(before && last.startMs - before.endMs).toBeGreaterThan(0);
      expect(before && last.startMs - before.endMs).toBeLessThan(60_000);
    }
  });
});

describe('characters', () => {
  test('absent: due, and nothing happens for days', () => {
    const job = withCharacter('absent').find((entry) => cyclePosition(entry, now) > 0.75);
    if (!job) throw new Error('No job is absent now');
    expect(slotsBetween(job.schedule, now - 2 * dayMs, now).flatMap((slot) => attemptsOf(job, slot))).toEqual([]);
    expect(nextRunMs(job, now)).toBeGreaterThan(now);
  });

  test('disabled: no run is due', () => {
    const job = withCharacter('disabled').find((entry) => !isEnabled(entry, now));
    if (!job) throw new Error('No job is disabled now');
    expect(nextRunMs(job, now)).toBeUndefined();
  });

  test('chronic: the same message, night after night', () => {
    const job = withCharacter('chronic').find((entry) => {
      const position = cyclePosition(entry, now);
      return position > 0.2 && position < 0.4 && entry.schedule.kind === 'daily';
    });
    if (!job) throw new Error('No job fails chronically now');
    const failed = runsOf(job, 5).filter((attempt) => attempt.number === job.retriesMax);
    expect(failed.length).toBeGreaterThan(2);
    expect(new Set(failed.map((attempt) => attempt.result))).toEqual(new Set(['Failed']));
  });

  test.each([
    ['slowing', 'durationFactor'],
    ['growing', 'sizeFactor'],
  ] as const)('%s: the %s creeps up', (character, factor) => {
    const job = withCharacter(character).find((entry) => cyclePosition(entry, now) > 0.6);
    if (!job) throw new Error(`No job is ${character} now`);
    const factors = slotsBetween(job.schedule, now - 20 * dayMs, now)
      .map((slot) => conditionAt(job, slot))
      .filter((condition) => !condition.isMissed && condition.cause === 'own')
      .map((condition) => condition[factor]);
    expect(factors).toEqual([...factors].sort((one, other) => one - other));
    expect(factors.at(-1)).toBeGreaterThan(1.5);
  });

  test('dropping: one night most of the bytes are gone', () => {
    const job = withCharacter('dropping').find((entry) => cyclePosition(entry, now) > 0.65);
    if (!job) throw new Error('No job has dropped now');
    const cycle = runsOf(job, 90).filter((attempt) => attempt.result === 'Success');
    const sizes = cycle.map((attempt) => attempt.transferredBytes);
    expect(Math.min(...sizes)).toBeLessThan(0.05 * Math.max(...sizes));
  });

  test('contradicting: a success whose text says otherwise', () => {
    const withMessage = withCharacter('contradicting')
      .flatMap((job) => runsOf(job, 20))
      .filter((attempt) => attempt.message);
    expect(withMessage.some((attempt) => attempt.result === 'Success' && attempt.transferredBytes === 0)).toBe(true);
  });

  test('steady: figures stay in a narrow band', () => {
    const job = withCharacter('steady').find((entry) => entry.product === 'server' && entry.type === 'BackupVm');
    if (!job) throw new Error('There is no steady job');
    const seconds = runsOf(job, 60)
      .filter((attempt) => attempt.result === 'Success')
      .map((attempt) => (attempt.endMs - attempt.startMs) / 1000)
      .sort((one, other) => one - other);
    const median = seconds[Math.floor(seconds.length / 2)] ?? 0;
    expect(seconds.at(-1)).toBeLessThan(median * 1.4);
    expect(seconds[0]).toBeGreaterThan(median * 0.6);
  });
});
