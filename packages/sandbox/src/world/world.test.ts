import { describe, expect, test } from 'vitest';
import { lastAttempt } from './history.ts';
import type { Job } from './job.ts';
import { slotsBetween } from './schedule.ts';
import { isEnabled } from './trouble.ts';
import { allJobs, buildWorld } from './world.ts';

const world = buildWorld(1, 60);
const jobs = allJobs(world);
const instants = ['2026-11-21T09:00:00Z', '2026-12-24T13:20:00Z', '2027-06-02T02:45:00Z', '2029-01-15T17:00:00Z'];

describe('the invented provider', () => {
  test('has sixty companies with names of their own in many countries', () => {
    expect(new Set(world.companies.map((company) => company.name)).size).toBe(60);
    expect(new Set(world.companies.map((company) => company.country.code)).size).toBeGreaterThan(25);
  });

  test('has about 1,500 jobs, some in each of the six groups', () => {
    expect(jobs.length).toBeGreaterThan(1400);
    expect(jobs.length).toBeLessThan(1600);
    const ofTypes = (...types: string[]) => world.serverJobs.filter((job) => types.includes(job.type)).length;
    expect(ofTypes('BackupVm', 'BackupCopy', 'SimpleBackupCopy', 'ReplicationVM')).toBeGreaterThan(400);
    expect(ofTypes('AgentBackupJob', 'AgentPolicy')).toBeGreaterThan(100);
    expect(ofTypes('BackupFile')).toBeGreaterThan(50);
    expect(world.agentJobs.length).toBeGreaterThan(200);
    expect(world.microsoft365Jobs.length).toBeGreaterThan(80);
    expect(world.cloudPolicies.length).toBeGreaterThan(80);
  });

  test('is the same for the same seed and another one for another', () => {
    expect(JSON.stringify(buildWorld(5, 12))).toBe(JSON.stringify(buildWorld(5, 12)));
    expect(buildWorld(5, 12).companies[0]?.uid).not.toBe(buildWorld(6, 12).companies[0]?.uid);
  });

  test('gives every job an id of its own', () => {
    expect(new Set(jobs.map((job) => job.uid)).size).toBe(jobs.length);
    expect(new Set(jobs.map((job) => job.id)).size).toBe(jobs.length);
  });

  test('grows beyond its list of names', () => {
    expect(new Set(buildWorld(2, 150).companies.map((company) => company.name)).size).toBe(150);
  });

  test('can be as small as one company', () => {
    expect(allJobs(buildWorld(2, 1)).length).toBeGreaterThan(3);
  });
});

describe('names', () => {
  const places = (entries: readonly Job[]) => Map.groupBy(entries, (job) => job.name);

  test('are shared by jobs of two companies', () => {
    const shared = [...places(jobs)].filter(([, bearers]) => new Set(bearers.map((job) => job.company)).size > 1);
    expect(shared.length).toBeGreaterThan(10);
  });

  test('are shared by two jobs of one company, so that a name alone does not identify the job', () => {
    const doubtful = [...Map.groupBy(jobs, (job) => job.company)].filter(([, own]) => places(own).size < own.length);
    expect(doubtful.length).toBeGreaterThan(2);
    expect(doubtful.length).toBeLessThan(20);
  });
});

describe('kinds of schedule', () => {
  test('are all there', () => {
    const kinds = new Set(jobs.map((job) => job.schedule.kind));
    expect([...kinds].sort()).toEqual(['chained', 'continuously', 'daily', 'monthly', 'periodically']);
  });

  test('make new runs appear within a quarter of an hour', () => {
    const now = Date.parse('2026-11-21T09:00:00Z');
    const due = jobs.flatMap((job) => slotsBetween(job.schedule, now, now + 900_000));
    expect(due.length).toBeGreaterThan(5);
  });
});

test.each(instants)('at %s some jobs need a person, and most are fine', (text) => {
  const now = Date.parse(text);
  const needing = jobs.filter((job) => needsPerson(job, now)).length / jobs.length;
  expect(needing).toBeGreaterThan(0.045);
  expect(needing).toBeLessThan(0.09);
});

test.each(instants)('at %s there is every kind of trouble', (text) => {
  const now = Date.parse(text);
  const lasts = jobs.map((job) => lastAttempt(job, now));
  const has = (share: (attempt: NonNullable<(typeof lasts)[number]>) => boolean) =>
    lasts.some((attempt) => attempt !== undefined && share(attempt));
  expect(has((attempt) => attempt.result === 'Failed' && attempt.endMs <= now)).toBe(true);
  expect(has((attempt) => attempt.result === 'Warning')).toBe(true);
  expect(has((attempt) => attempt.endMs > now)).toBe(true);
  expect(has((attempt) => attempt.result === 'Success' && attempt.message !== undefined)).toBe(true);
  expect(has((attempt) => attempt.number > 0)).toBe(true);
  expect(lasts).toContain(undefined);
  expect(jobs.some((job) => !isEnabled(job, now))).toBe(true);
  expect(jobs.some((job) => isOverdue(job, now))).toBe(true);
});

function needsPerson(job: Job, now: number): boolean {
  const last = lastAttempt(job, now);
  if (!last || !isEnabled(job, now)) return false;
  return isOverdue(job, now) || (last.endMs <= now && last.result !== 'Success');
}

function isOverdue(job: Job, now: number): boolean {
  const last = lastAttempt(job, now);
  if (!last || !isEnabled(job, now)) return false;
  return slotsBetween(job.schedule, last.slot + 1, now - 4 * 3_600_000).length > 0;
}
