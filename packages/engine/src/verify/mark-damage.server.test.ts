import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { gathered } from '../testing/gathered.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { markDamage } from './mark-damage.ts';

const database = useDatabase();

test('after a mass loss the damage is written in as many commits as it needs', { timeout: 120_000 }, async () => {
  const { repository, catalog } = await database.parts();
  const run = await repository.startRun({ kind: 'verify', job: 'v', jobName: 'V', organizationId: '' }, catalog);
  const damage = Array.from({ length: 30 }, () => ({
    pack: randomBytes(32).toString('hex'),
    chunks: Array.from({ length: 10_000 }, () => randomBytes(16).toString('base64url')),
  }));
  await markDamage({ repository, catalog, run, now: () => new Date() }, damage, []);
  const [{ commits } = { commits: 0 }] = await gathered(repository.listRuns());
  const found = [];
  for (let sequence = 1; sequence <= commits; sequence += 1) found.push(await repository.findCommit(run.id, sequence));
  const sizes = found.map((commit) => (commit?.damage ?? []).reduce((sum, { chunks }) => sum + chunks.length, 0));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(300_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100_000);
  expect((await catalog.damagedChunks()).size).toBe(30);
});
