import { expect, test } from 'vitest';
import { endedAttempts } from './history.ts';
import { isFull, usedBytes } from './repositories.ts';
import { dayMs } from './schedule.ts';
import { buildWorld } from './world.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const world = buildWorld(1, 60);
const sized = world.repositories.filter((repository) => repository.capacityBytes !== undefined);

test('most repositories fill slowly and steadily, so that a forecast has something to go by', () => {
  const growing = sized.filter((repository) => {
    const weeks = [0, 7, 14, 21, 28].map((days) => usedBytes(repository, now - days * dayMs));
    return weeks.every((bytes, index) => index === 0 || bytes < (weeks[index - 1] ?? 0));
  });
  expect(growing.length).toBeGreaterThan(sized.length * 0.5);
});

test('some are almost full, and never more than full', () => {
  const shares = sized.map((repository) => usedBytes(repository, now) / (repository.capacityBytes ?? 1));
  expect(shares.filter((share) => share > 0.85).length).toBeGreaterThan(5);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(Math.min(...shares)).toBeGreaterThan(0.2);
});

test('what writes to a full repository fails and says so', () => {
  const full = sized.filter((repository) => isFull(repository, now));
  expect(full.length).toBeGreaterThan(0);
  const messages = world.serverJobs
    .filter((job) => job.repository && full.includes(job.repository))
    .flatMap((job) => endedAttempts(job, now - 3 * dayMs, now, now))
    .map((attempt) => attempt.message);
  expect(messages.filter((message) => message?.startsWith('There is not enough space')).length).toBeGreaterThan(0);
});

test('object storage has no capacity', () => {
  const endless = world.repositories.filter((repository) => repository.capacityBytes === undefined);
  expect(endless.length).toBeGreaterThan(0);
  for (const repository of endless) expect(isFull(repository, now)).toBe(false);
});
