import { describe, expect, test } from 'vitest';
import type { Job } from './job.ts';
import { type Attempt, attemptsOf, sessionUid, usualSeconds } from './runs.ts';
import { dayMs, slotsBetween } from './schedule.ts';
import { conditionAt } from './trouble.ts';
import { allJobs, buildWorld } from './world.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const world = buildWorld(1, 60);
const jobs = allJobs(world);
const slotsOf = (job: Job, days: number) => slotsBetween(job.schedule, now - days * dayMs, now);
const runs = jobs.flatMap((job) => slotsOf(job, 5).map((slot) => attemptsOf(job, slot)));
const attempts = runs.flat();

describe('the attempts of a run', () => {
  test('are numbered from 0, and wait for the retry as long as the job says', () => {
    const retried = runs.filter((run) => run.length > 1);
    expect(retried.length).toBeGreaterThan(30);
    for (const run of retried) {
      expect(run.map((attempt) => attempt.number)).toEqual(run.map((_, index) => index));
      for (const [index, attempt] of run.slice(1).entries()) {
        expect(attempt.startMs - (run[index]?.endMs ?? 0)).toBe(attempt.job.retryWaitMs);
      }
    }
  });

  test('are as many as the condition says, all failed but the last', () => {
    for (const run of runs) {
      const [first] = run;
      if (!first) continue;
      const condition = conditionAt(first.job, first.slot);
      expect(run).toHaveLength(condition.failuresBefore + 1);
      expect(run.slice(0, -1).every((attempt) => attempt.result === 'Failed')).toBe(true);
      expect(run.at(-1)?.result).toBe(condition.result);
    }
  });

  test('begin within a minute after they were due, unless they wait for another job', () => {
    for (const [first] of runs) {
      if (!first || first.job.after) continue;
      expect(first.startMs).toBeGreaterThan(first.slot);
      expect(first.startMs).toBeLessThan(first.slot + 60_000);
    }
  });

  test('have each a session id of its own, which stays', () => {
    const ids = attempts.map(sessionUid);
    expect(new Set(ids).size).toBe(ids.length);
    const again = runs.flatMap(([first]) => (first ? attemptsOf(first.job, first.slot).map(sessionUid) : []));
    expect(again).toEqual(ids);
  });

  test('are none for a copy whose backup did not run', () => {
    const chained = jobs.flatMap((job) =>
      job.after ? slotsOf(job, 100).map((slot) => ({ job, before: job.after, slot })) : [],
    );
    const orphaned = chained.filter(({ before, slot }) => before && attemptsOf(before, slot).length === 0);
    expect(orphaned.length).toBeGreaterThan(5);
    for (const { job, slot } of orphaned) expect(attemptsOf(job, slot)).toEqual([]);
  });
});

describe('the figures of an attempt', () => {
  test('are whole and not negative, and no more is sent than was read', () => {
    for (const { startMs, endMs, sourceBytes, readBytes, transferredBytes, chainBytes } of attempts) {
      expect(endMs).toBeGreaterThan(startMs);
      for (const bytes of [sourceBytes, readBytes, transferredBytes, chainBytes]) {
        expect(Number.isSafeInteger(bytes) && bytes >= 0).toBe(true);
      }
      expect(transferredBytes).toBeLessThanOrEqual(readBytes);
    }
  });

  test('are those of a part of the work when it failed', () => {
    const mean = (of: readonly Attempt[]) =>
      of.reduce((sum, { job, startMs, endMs }) => sum + (endMs - startMs) / 1000 / usualSeconds(job), 0) / of.length;
    const failed = attempts.filter((attempt) => attempt.result === 'Failed');
    const whole = attempts.filter((attempt) => attempt.result === 'Success');
    expect(mean(failed)).toBeLessThan(0.7 * mean(whole));
  });

  test('show nothing transferred where a success contradicts itself, and its message says so', () => {
    const contradicting = jobs
      .filter((job) => job.character === 'contradicting')
      .flatMap((job) => slotsOf(job, 30).map((slot) => ({ job, slot, condition: conditionAt(job, slot) })))
      .filter(({ condition }) => condition.cause === 'contradiction');
    expect(contradicting.length).toBeGreaterThan(50);
    for (const { job, slot } of contradicting) {
      const last = attemptsOf(job, slot).at(-1);
      if (!last) continue;
      expect(last).toMatchObject({ result: 'Success', transferredBytes: 0, message: expect.stringMatching(/\w/) });
    }
  });

  test('grow over the year, as what is backed up does', () => {
    const job = world.serverJobs.find((entry) => entry.character === 'steady' && entry.schedule.kind === 'daily');
    if (!job) throw new Error('There is no steady nightly job');
    const ofMonth = (text: string) => {
      const [first] = slotsBetween(job.schedule, Date.parse(text), Date.parse(text) + 20 * dayMs)
        .flatMap((slot) => attemptsOf(job, slot))
        .filter((attempt) => attempt.result === 'Success');
      return first?.sourceBytes ?? Number.NaN;
    };
    expect(ofMonth('2026-11-01T00:00:00Z')).toBeGreaterThan(1.05 * ofMonth('2026-02-01T00:00:00Z'));
  });

  test('say nothing where all went well', () => {
    const fine = attempts.filter(
      ({ job, slot, result }) => result === 'Success' && conditionAt(job, slot).cause === 'own',
    );
    expect(fine.length).toBeGreaterThan(1000);
    expect(fine.every((attempt) => attempt.message === undefined)).toBe(true);
  });
});
