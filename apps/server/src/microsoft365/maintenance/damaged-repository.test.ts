import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { row } from '../../foundation/database.ts';
import { WorkerBed } from '../sessions/testing/worker-bed.ts';
import { insertMaintenance, listMaintenance } from './maintenance-runs.ts';
import { runMaintenance } from './run-maintenance.ts';

const bed = new WorkerBed();

it('a verify of a repository that lost files ends as Failed, and names each item that cannot be brought back', async () => {
  const { buildJob, repositoryId } = await bed.place(['exchange']);
  const services = await bed.worker();
  await bed.ended(await bed.begin(await buildJob(bed.ofPeople(2))));
  const stored = await row<{ place: string }>(
    bed.database.pool,
    sql`select place from m365_repositories where id = ${repositoryId}`,
  );
  const files = await readdir(stored?.place ?? '', { recursive: true, withFileTypes: true });
  const packs = files.filter((file) => file.isFile() && file.parentPath.includes('pack'));
  expect(packs.length).toBeGreaterThan(0);
  for (const pack of packs) await rm(join(pack.parentPath, pack.name));

  const key = { providerId: 1, id: repositoryId };
  const order = { kind: 'verify', depth: 'quick', isDryRun: false, username: null } as const;
  const runId = await insertMaintenance(bed.database.pool, key, order, new Date());
  await runMaintenance(services, { providerId: 1, runId: runId ?? '' }, new AbortController().signal);
  const [run] = await listMaintenance(bed.database.pool, key, 1);
  expect(run?.status).toBe('Failed');
  const text = expect.stringContaining('cannot be brought back whole');
  expect(run?.findings[0]).toMatchObject({ level: 'error', text });
}, 60_000);
