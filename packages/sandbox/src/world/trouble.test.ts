import { describe, expect, test } from 'vitest';
import type { Character, Job } from './job.ts';
import { isFull } from './repositories.ts';
import { dayMs, slotsBetween } from './schedule.ts';
import { type Condition, characterOf, conditionAt, cyclePosition, isEnabled } from './trouble.ts';
import { allJobs, buildWorld } from './world.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const world = buildWorld(1, 60);
const jobs = allJobs(world);
const withCharacter = (character: Character) => jobs.filter((job) => job.character === character);
const slotsOf = (job: Job, days: number) => slotsBetween(job.schedule, now - days * dayMs, now);
const conditionsOf = (of: readonly Job[], days: number): Condition[] =>
  of.flatMap((job) => slotsOf(job, days).map((slot) => conditionAt(job, slot)));
const shareOf = (of: readonly Condition[], matches: (condition: Condition) => boolean) =>
  of.filter(matches).length / of.length;

describe('characters', () => {
  test('have the shares of the table to the job, and more than three quarters are steady', () => {
    const drawn = Array.from({ length: 1000 }, (_, index) => characterOf((index + 0.5) / 1000));
    const counts = Object.fromEntries([...Map.groupBy(drawn, (name) => name)].map(([name, all]) => [name, all.length]));
    expect(counts).toEqual({
      steady: 772,
      flaky: 40,
      chronic: 28,
      nagging: 26,
      absent: 22,
      slowing: 16,
      growing: 16,
      dropping: 12,
      contradicting: 14,
      disabled: 45,
      'never-ran': 9,
    });
  });

  test('are all among the jobs of sixty companies', () => {
    expect(new Set(jobs.map((job) => job.character)).size).toBe(11);
  });
});

describe('the cycle of a job', () => {
  test('is in [0, 1) at every instant, now and in thirty years', () => {
    for (const atMs of [0, now, now + 0.5, now + 30 * 365 * dayMs]) {
      for (const job of jobs) {
        expect(cyclePosition(job, atMs)).toBeGreaterThanOrEqual(0);
        expect(cyclePosition(job, atMs)).toBeLessThan(1);
      }
    }
  });

  test('advances day by day and restarts after 40 to 90 days', () => {
    for (const job of jobs.slice(0, 100)) {
      const days = Array.from({ length: 200 }, (_, day) => cyclePosition(job, now + day * dayMs));
      const restarts = days.flatMap((position, day) => (position < (days[day - 1] ?? 0) ? [day] : []));
      const lengths = restarts.slice(1).map((day, index) => day - (restarts[index] ?? 0));
      expect(lengths.length).toBeGreaterThan(0);
      for (const length of lengths) {
        expect(length).toBeGreaterThanOrEqual(40);
        expect(length).toBeLessThanOrEqual(90);
      }
    }
  });
});

describe('what becomes of a run', () => {
  test('is the same whenever it is asked', () => {
    for (const job of jobs.slice(0, 200)) {
      for (const slot of slotsOf(job, 3)) expect(conditionAt(job, slot)).toEqual(conditionAt(job, slot));
    }
  });

  test('is nothing before the job was made, and never for one that never ran', () => {
    for (const job of jobs.slice(0, 200)) expect(conditionAt(job, job.createdMs - 1).isMissed).toBe(true);
    expect(conditionsOf(withCharacter('never-ran'), 100).every((condition) => condition.isMissed)).toBe(true);
  });

  test('is nothing while the job is switched off, and something again once it is on', () => {
    const disabled = withCharacter('disabled').filter((job) => job.createdMs < now - 100 * dayMs);
    for (const job of disabled) {
      for (const slot of slotsOf(job, 100)) {
        if (!isEnabled(job, slot)) expect(conditionAt(job, slot).isMissed).toBe(true);
      }
    }
    expect(shareOf(conditionsOf(disabled, 100), (condition) => !condition.isMissed)).toBeGreaterThan(0.15);
  });

  test('never takes more retries than the job has', () => {
    for (const job of jobs) {
      for (const slot of slotsOf(job, 7)) {
        expect(conditionAt(job, slot).failuresBefore).toBeLessThanOrEqual(job.retriesMax);
      }
    }
  });

  test('is a retry many times as often for a flaky job as for a steady one', () => {
    const retried = (character: Character) =>
      shareOf(
        conditionsOf(
          withCharacter(character).filter((job) => job.retriesMax > 0),
          60,
        ),
        (condition) => condition.failuresBefore > 0 && condition.result === 'Success',
      );
    expect(retried('flaky')).toBeGreaterThan(5 * retried('steady'));
    expect(retried('steady')).toBeGreaterThan(0);
  });

  test('blames the repository only while that is full', () => {
    let blamed = 0;
    for (const job of jobs) {
      for (const slot of slotsOf(job, 14)) {
        if (conditionAt(job, slot).cause !== 'repository-full') continue;
        blamed += 1;
        expect(job.repository && isFull(job.repository, slot)).toBe(true);
      }
    }
    expect(blamed).toBeGreaterThan(20);
  });

  test('is an incident of one to three runs now and then also for a steady job, and mostly nothing', () => {
    const conditions = conditionsOf(withCharacter('steady'), 60);
    expect(shareOf(conditions, ({ isMissed, result }) => !isMissed && result !== 'Success')).toBeGreaterThan(0.01);
    expect(shareOf(conditions, ({ isMissed, result }) => !isMissed && result === 'Success')).toBeGreaterThan(0.9);
  });
});

describe('what takes runs away', () => {
  test('a server that is down takes those of all its jobs for a day, and that happens', () => {
    const nights = [...Map.groupBy(world.serverJobs, (job) => job.server)].flatMap(([, own]) =>
      Array.from({ length: 100 }, (_, day) => {
        const from = (Math.floor(now / dayMs) - 1 - day) * dayMs;
        const due = own.flatMap((job) =>
          slotsBetween(job.schedule, from, from + dayMs).map((slot) => conditionAt(job, slot)),
        );
        return { due: due.length, missed: due.filter((condition) => condition.isMissed).length };
      }),
    );
    const down = nights.filter(({ due, missed }) => due >= 8 && missed === due);
    expect(down.length).toBeGreaterThan(0);
    expect(down.length).toBeLessThan(nights.length / 100);
  });

  test('a workstation that is off when its backup is due misses far more than a server', () => {
    const missedOf = (mode: 'Server' | 'Workstation') => {
      const own = world.agentJobs.filter((job) => job.agent.mode === mode && job.character === 'steady');
      const old = own.filter((job) => job.createdMs < now - 100 * dayMs);
      return shareOf(conditionsOf(old, 100), (condition) => condition.isMissed);
    };
    expect(missedOf('Workstation')).toBeGreaterThan(3 * missedOf('Server'));
  });
});
