import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { erase, prune } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { execute, row, rows } from '../../foundation/database.ts';
import { Scope } from '../../foundation/scope.ts';
import { recordingQueue, type TestPortal } from '../../testing/test-portal.ts';
import { findJob } from '../jobs/jobs.ts';
import { countUsers } from '../licensing/count-users.ts';
import { listUsers } from '../licensing/licensed-users.ts';
import { endMaintenance } from '../monitoring/report-maintenance.ts';
import { endProof } from '../monitoring/report-proof.ts';
import { findOrganization } from '../organizations/organizations.ts';
import { planProofs } from '../proofs/plan-proofs.ts';
import { runProofJob } from '../proofs/run-proof.job.ts';
import { runProof } from '../proofs/run-proof.ts';
import { claimProof, insertProof } from '../proofs/stored-proofs.ts';
import { countPoints } from '../repositories/count-points.ts';
import { measureRepositories } from '../repositories/measure-repositories.ts';
import { openStored } from '../repositories/open-stored.ts';
import { removeRepository } from '../repositories/repositories.ts';
import type { RunServices } from '../sessions/run-services.ts';
import { placesOf, startWorker } from '../sessions/testing/worker.ts';
import { WorkerBed } from '../sessions/testing/worker-bed.ts';
import {
  claimMaintenance,
  findRunning,
  insertMaintenance,
  listMaintenance,
  stoppedBy,
  storeMaintenanceEnd,
} from './maintenance-runs.ts';
import { runMaintenance } from './run-maintenance.ts';

const bed = new WorkerBed();
const everything = new Scope(1, null);
const never = new AbortController().signal;
const work = { signal: never, onEvent: () => undefined };

/** A job of the mailboxes of some people that ran some times. The first user is the administrator, who has none. */
async function ran(times: number, people = 1) {
  const place = await bed.place(['exchange']);
  const services = await bed.worker();
  const jobId = await place.buildJob(bed.ofPeople(people + 1));
  for (let run = 0; run < times; run += 1) await bed.ended(await bed.begin(jobId));
  await countUsers(services, never);
  return { ...place, services, jobId, stored: await openStored(services, 1, place.repositoryId) };
}

async function seenOf(jobId: string) {
  const job = await findJob(bed.database.pool, everything, jobId);
  const organization = await findOrganization(bed.database.pool, everything, job?.organizationId ?? '');
  return {
    restorePoints: job?.restorePoints,
    lastProof: job?.lastProof ?? null,
    first: organization?.firstBackuptime ?? null,
    last: organization?.lastBackuptime ?? null,
    proofOfOrganization: organization?.lastProof ?? null,
  };
}

const usersOf = async (organizationId: string) => {
  const query = { organizationId, limit: 50, offset: 0 };
  return (await listUsers(bed.database.pool, everything, query, new Date())).data;
};

/** A prune that leaves the newest restore point alone, as the portal does one. */
async function pruneAll(services: RunServices, repositoryId: string) {
  await execute(bed.database.pool, sql`update m365_repositories set retention_years = 0 where id = ${repositoryId}`);
  const order = { kind: 'prune', depth: 'quick', isDryRun: false, username: null } as const;
  const key = { providerId: 1, id: repositoryId };
  const runId = (await insertMaintenance(bed.database.pool, key, order, new Date())) ?? '';
  await runMaintenance(services, { providerId: 1, runId }, never);
  return (await listMaintenance(bed.database.pool, key, 1))[0];
}

const moveTo = (jobId: string, repositoryId: string) =>
  execute(bed.database.pool, sql`update m365_jobs set repository_id = ${repositoryId} where id = ${jobId}`);

/** Does what is due of proofs. @returns how many */
async function prove(services: RunServices): Promise<number> {
  const sent: TestPortal['sent'] = [];
  const planned = await planProofs(bed.database.pool, recordingQueue(sent), new Date());
  for (const { payload } of sent) await runProof(services, runProofJob.payload.parse(payload), never);
  return planned;
}

const finishedAt = async ({ stored }: Awaited<ReturnType<typeof ran>>) =>
  (await stored.catalog.listRestorePoints({ limit: 9, offset: 0 })).map((point) => point.finishedAt.toISOString());

describe('the restore points that are shown', () => {
  it('are those that are left after a prune, and the first backup is the oldest of them', async () => {
    const made = await ran(3);
    const [newest, , oldest] = await finishedAt(made);
    expect(await seenOf(made.jobId)).toMatchObject({ restorePoints: 3, first: oldest, last: newest });
    expect((await pruneAll(made.services, made.repositoryId))?.status).toBe('Success');
    expect(await seenOf(made.jobId)).toMatchObject({ restorePoints: 1, first: newest, last: newest });
  }, 180_000);

  it('are right after a prune that a person stopped, and one whose repository was removed meanwhile', async () => {
    const made = await ran(2);
    const { services, repositoryId, jobId, stored } = made;
    const key = { providerId: 1, id: repositoryId };
    // It was stopped after it had written what is gone: the worker ends it, and finds that its end is stored.
    await execute(bed.database.pool, sql`update m365_repositories set retention_years = 0 where id = ${repositoryId}`);
    const order = { kind: 'prune', depth: 'quick', isDryRun: false, username: null } as const;
    const runId = (await insertMaintenance(bed.database.pool, key, order, new Date())) ?? '';
    const slow: RunServices = {
      ...services,
      stored: {
        ...services.stored,
        async open(given) {
          const opened = await services.stored.open(given);
          const run = await findRunning(bed.database.pool, key);
          await prune(opened, { keepDays: 0 }, work);
          if (run !== null) await storeMaintenanceEnd(bed.database.pool, run, stoppedBy('ada', 'prune'), new Date());
          return opened;
        },
      },
    };
    await runMaintenance(slow, { providerId: 1, runId }, never);
    expect((await listMaintenance(bed.database.pool, key, 1))[0]?.status).toBe('Warning');
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 1 });

    const again = (await insertMaintenance(bed.database.pool, key, order, new Date())) ?? '';
    const other = await made.buildRepository();
    const removing: RunServices = {
      ...services,
      stored: {
        ...services.stored,
        async open(given) {
          await moveTo(jobId, other);
          await removeRepository(bed.database.pool, key);
          return services.stored.open(given);
        },
      },
    };
    await runMaintenance(removing, { providerId: 1, runId: again }, never);
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 0, first: null, last: null });
    expect((await stored.catalog.listJobs()).length).toBe(1);
  }, 180_000);

  it('and what is stored of users follow what another program pruned and erased, when the repository is measured', async () => {
    const made = await ran(2, 2);
    const { services, stored, jobId, organization, repositoryId } = made;
    const [one, two] = await usersOf(organization.id);
    expect([one?.bytes, two?.bytes].every((bytes) => (bytes ?? 0) > 0)).toBe(true);
    await prune(stored, { keepDays: 0 }, work);
    const erased = await erase(stored, { subject: { type: 'user', id: one?.objectId ?? '' }, reason: 'asked' }, work);
    expect(erased).toBeTruthy();
    await execute(bed.database.pool, sql`update m365_repositories set measured_at = null where id = ${repositoryId}`);
    await measureRepositories(services, never);
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 1 });
    const nothing = { bytes: 0, mailboxBytes: null };
    const unnamed = { _id: one?._id, name: 'Erased person', address: null, licensedFrom: one?.licensedFrom };
    expect(await usersOf(organization.id)).toMatchObject([
      { ...unnamed, ...nothing },
      { _id: two?._id, name: two?.name, bytes: two?.bytes },
    ]);
  }, 180_000);

  it('name an erased person nowhere any more, and the others as before', async () => {
    // Other tests backed up the same people in organizations of their own.
    await execute(bed.database.pool, sql`delete from m365_protected_users`);
    await execute(bed.database.pool, sql`truncate job_executions, job_execution_logs, m365_maintenance_runs`);
    const made = await ran(1, 2);
    const { services, stored, jobId, organization, repositoryId } = made;
    const [one, two] = await usersOf(organization.id);
    // The later run counts as another attempt of the earlier one: messages of both are there.
    await reportFaultsOf(two, made);
    await reportFaultsOf(one, made);
    await execute(
      bed.database.pool,
      sql`update m365_job_sessions set message = ${`${one?.name}: No.`} where job_id = ${jobId}`,
    );
    expect(await tablesWith(one?.name, one?.address)).toEqual(
      [...NAMING_TABLES, 'job_executions', 'm365_job_sessions'].toSorted(),
    );
    await erase(stored, { subject: { type: 'user', id: one?.objectId ?? '' }, reason: 'asked' }, work);
    await countPoints(services, { providerId: 1, id: repositoryId });
    expect(await tablesWith(one?.name, one?.address)).toEqual([]);
    expect(await tablesWith(two?.name, two?.address)).toEqual(NAMING_TABLES);

    // Followed once: what comes later is announced again, what is known is not.
    const announced = () => rows(bed.database.pool, sql`select from outbox where subject_id = ${repositoryId}`);
    await countPoints(services, { providerId: 1, id: repositoryId });
    expect(await announced()).toHaveLength(1);

    // A backup brings the name again: the job still names the person.
    await bed.ended(await bed.begin(jobId));
    await countUsers(services, never);
    expect((await usersOf(organization.id)).map(({ name }) => name)).toEqual([one?.name, two?.name]);
  }, 180_000);
});

type User = Awaited<ReturnType<typeof usersOf>>[number] | undefined;

/** A verify, a proof and a run that ended with faults of a person, as workers store and report them. */
async function reportFaultsOf(user: User, { jobId, repositoryId }: Awaited<ReturnType<typeof ran>>) {
  const pool = bed.database.pool;
  const at = new Date();
  const text = `${user?.name}: 'A letter' of 2026 cannot be brought back whole.`;
  const order = { kind: 'verify', depth: 'quick', isDryRun: false, username: null } as const;
  const runId = await insertMaintenance(pool, { providerId: 1, id: repositoryId }, order, at);
  const run = await claimMaintenance(pool, 1, runId ?? '');
  const finding = { level: 'error', text } as const;
  if (run === null) throw new Error('There is no verify to end.');
  await endMaintenance(pool, run, { result: 'Failed', message: text, findings: [finding] }, at);

  const proof = await claimProof(pool, 1, (await insertProof(pool, { providerId: 1, id: jobId }, null, at)) ?? '');
  if (proof === null) throw new Error('There is no proof to end.');
  const item = { objectName: user?.name ?? '', objectKind: 'mailbox', kind: 'message', name: 'A letter', bytes: 1 };
  const sample = [{ ...item, fault: 'It is damaged.', comparison: 'not-compared' as const, reason: null }];
  const end = { result: 'Failed', message: text, restorePointAt: null, items: 0, bytes: 0, sample } as const;
  await endProof(pool, proof, end, at);
  // One that failed before it had a sample.
  const early = await claimProof(pool, 1, (await insertProof(pool, { providerId: 1, id: jobId }, null, at)) ?? '');
  if (early !== null) await endProof(pool, early, { ...end, sample: [] }, at);

  await execute(
    pool,
    sql`insert into m365_session_log (provider_id, session_id, at, level, object_name, text)
        select 1, s.id, now(), 'error', null, ${`Microsoft refused '${user?.address}'.`} from m365_job_sessions s where s.job_id = ${jobId}`,
  );
}

/** Where a person is named who was backed up, with faults. */
const NAMING_TABLES = [
  'job_execution_logs',
  'm365_maintenance_runs',
  'm365_object_points',
  'm365_proofs',
  'm365_protected_users',
  'm365_session_log',
];

/** The tables that have a name or address in any column. */
async function tablesWith(name = '', address: string | null = null): Promise<string[]> {
  const tables = await rows<{ table: string }>(
    bed.database.pool,
    sql`select c.relname as table from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        order by 1`,
  );
  const found: string[] = [];
  for (const { table } of tables) {
    const [naming] = await rows(
      bed.database.pool,
      sql`select from ${sql.identifier(table)} t where position(${name} in t::text) > 0 or position(${address ?? name} in t::text) > 0 limit 1`,
    );
    if (naming !== undefined) found.push(table);
  }
  return found;
}

describe('a repository that was removed', () => {
  it('counts nowhere any more: neither its restore points nor what it had of users', async () => {
    const made = await ran(1);
    const { jobId, organization, repositoryId } = made;
    const other = await made.buildRepository();
    await moveTo(jobId, other);
    const before = await usersOf(organization.id);
    expect(before.every(({ bytes }) => bytes > 0)).toBe(true);
    await removeRepository(bed.database.pool, { providerId: 1, id: repositoryId });
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 0, first: null, last: null });
    const after = await usersOf(organization.id);
    // Their licences stay: they were backed up.
    expect(after.map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id));
    for (const user of after) expect(user).toMatchObject({ bytes: 0, mailboxBytes: null });
  }, 180_000);
});

describe('a job that was moved to another repository', () => {
  it('has the restore points of both, counts each user once, and is proved where it writes now', async () => {
    const made = await ran(2);
    const { services, jobId, organization, repositoryId } = made;
    expect(await prove(services)).toBe(1);
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 2, lastProof: { status: 'Success' } });
    const before = await usersOf(organization.id);
    const other = await made.buildRepository();
    // The run before the move was not counted yet: its users are in the repository that it wrote into.
    await execute(bed.database.pool, sql`delete from m365_license_periods`);
    await execute(
      bed.database.pool,
      sql`update m365_job_sessions set count_users_at = '-infinity' where job_id = ${jobId}`,
    );
    await moveTo(jobId, other);
    await countUsers(services, never);
    expect((await usersOf(organization.id)).map(({ _id }) => _id)).toEqual(before.map(({ _id }) => _id));

    // Not proved: the restore points are where they were, and nothing is in the new repository.
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 2, lastProof: null, proofOfOrganization: null });
    expect(await prove(services)).toBe(0);

    await bed.ended(await bed.begin(jobId));
    await countUsers(services, never);
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 3, lastProof: null });
    expect(await usersOf(organization.id)).toMatchObject(
      before.map(({ _id, bytes, mailboxBytes }) => ({ _id, bytes, mailboxBytes })),
    );
    expect(await prove(services)).toBe(1);
    const proved = await rows<{ repositoryId: string }>(
      bed.database.pool,
      sql`select repository_id as "repositoryId" from m365_proofs where job_id = ${jobId} order by started_at`,
    );
    expect(proved.map((proof) => proof.repositoryId)).toEqual([repositoryId, other]);

    // The old repository goes: what the new one has is left.
    await removeRepository(bed.database.pool, { providerId: 1, id: repositoryId });
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 1, lastProof: { status: 'Success' } });
    expect(await usersOf(organization.id)).toMatchObject(before.map(({ _id, bytes }) => ({ _id, bytes })));
  }, 180_000);

  it('while it runs goes on where it began, in another worker too', async () => {
    const { buildJob, buildRepository, repositoryId } = await bed.place(['exchange']);
    const jobId = await buildJob(bed.ofPeople(3));
    const first = await startWorker(placesOf(bed.database.url, bed.slowTenant));
    const session = await bed.begin(jobId);
    await bed.isReading(session);
    await moveTo(jobId, await buildRepository());
    await first.stop();
    await bed.worker(bed.slowTenant);
    await bed.ended(session);
    expect(await bed.seen(session)).toMatchObject({ result: 'Success', restorePoint: expect.any(String) });
    const found = await row<{ repositoryId: string }>(
      bed.database.pool,
      sql`select repository_id as "repositoryId" from m365_restore_points where job = ${jobId}`,
    );
    expect(found).toEqual({ repositoryId });
    expect(await seenOf(jobId)).toMatchObject({ restorePoints: 1 });
  }, 180_000);
});

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
}, 180_000);
