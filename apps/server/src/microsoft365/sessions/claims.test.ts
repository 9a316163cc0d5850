import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { claimSession } from './claims.ts';
import { WorkerBed } from './testing/worker-bed.ts';

const bed = new WorkerBed();
const claim = (waitedMs?: number) => {
  const claimant = { workerId: newId(), places: [], claimMs: 1_000, running: [] };
  return claimSession(bed.database.pool, waitedMs === undefined ? claimant : { ...claimant, waitedMs });
};

it('takes an organization that had a place just now after the one that waits, however long ago its run began', async () => {
  const { pool } = bed.database;
  const [giant, small] = [await bed.place(['exchange']), await bed.place(['exchange'])];
  const ofGiant = await bed.begin(await giant.buildJob());
  await execute(
    pool,
    sql`update m365_job_sessions set started_at = now() - interval '2 days', worker_id = ${newId()}, claimed_until = now() - interval '1 second'
        where id = ${ofGiant}`,
  );
  const jobId = await small.buildJob();
  const earlier = await bed.begin(jobId);
  await execute(
    pool,
    sql`update m365_job_sessions set started_at = now() - interval '70 minutes', ended_at = now() - interval '1 hour', worker_id = ${newId()}, result = 'Success'
        where id = ${earlier}`,
  );
  const waiting = await bed.begin(jobId);
  expect((await claim())?.id).toBe(waiting);
  expect((await claim())?.id).toBe(ofGiant);
});

it('leaves what has just begun to wait to workers that have a free place', async () => {
  const { buildJob } = await bed.place(['exchange']);
  const session = await bed.begin(await buildJob());
  expect(await claim(60_000)).toBeNull();
  await execute(
    bed.database.pool,
    sql`update m365_job_sessions set started_at = now() - interval '2 minutes' where id = ${session}`,
  );
  expect((await claim(60_000))?.id).toBe(session);
});
