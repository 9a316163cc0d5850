import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Microsoft365Proof } from '@keepwatch/contract/microsoft365/proofs';
import type { GraphConnection } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { findExecutionDetail } from '../../executions/execution-detail.ts';
import { execute, row, rows } from '../../foundation/database.ts';
import { Scope } from '../../foundation/scope.ts';
import { newId } from '../../foundation/secrets.ts';
import { recordingQueue, type TestPortal } from '../../testing/test-portal.ts';
import type { RunServices } from '../sessions/run-services.ts';
import { WorkerBed } from '../sessions/testing/worker-bed.ts';
import { endLostProofs, planProofs } from './plan-proofs.ts';
import { runProof } from './run-proof.ts';
import { insertProof, listStoredProofs } from './stored-proofs.ts';

const bed = new WorkerBed();
const DAY_MS = 86_400_000;

/** A job of the mailboxes and drives of some people, with a restore point. */
async function backedUp() {
  const { buildJob, repositoryId, organization, remove } = await bed.place(['exchange', 'sharepoint']);
  const services = await bed.worker();
  const { selected, backupType } = bed.ofPeople(3);
  const jobId = await buildJob({ selected, backupType, name: 'Mail and files' });
  const session = await bed.begin(jobId);
  await bed.ended(session);
  expect(await bed.seen(session)).toMatchObject({ restorePoint: expect.any(String) });
  return { jobId, repositoryId, organization, remove, services, people: selected.map(({ id }) => id ?? '') };
}

async function prove(services: RunServices, jobId: string): Promise<Microsoft365Proof> {
  const key = { providerId: 1, id: jobId };
  const proofId = await insertProof(bed.database.pool, key, 'ada', new Date());
  await runProof(services, { providerId: 1, proofId: proofId ?? '' }, new AbortController().signal);
  const { data } = await listStoredProofs(bed.database.pool, key, { limit: 1, offset: 0 });
  if (data[0] === undefined) throw new Error('There is no proof.');
  return data[0];
}

const monitored = (jobId: string) =>
  rows<{ id: string; name: string; result: string }>(
    bed.database.pool,
    sql`select e.id, j.name, e.result from job_executions e join jobs j on j.provider_id = e.provider_id and j.job_instance_uid = e.job_instance_uid
        where j.external_id = ${`${jobId}/proof`} and e.source_group = 'office365' order by e.started_at`,
  );

const ofKind = ({ sample }: Microsoft365Proof, kind: string) => sample.filter((item) => item.kind === kind);
/** A sample may have an item that has nothing to compare, such as a link to another drive. */
const WITHOUT_BYTES = /^It has no bytes|^Its text is protected/;
const comparable = (proof: Microsoft365Proof, kind: string) =>
  ofKind(proof, kind).filter(({ reason }) => reason === null || !WITHOUT_BYTES.test(reason));
const comparisons = (proof: Microsoft365Proof, kind: string) =>
  new Set(comparable(proof, kind).map(({ comparison }) => comparison));

/** Proves until the sample has a file and a message that can be compared: samples are random. */
async function proveComparable(services: RunServices, jobId: string): Promise<Microsoft365Proof> {
  const proof = await prove(services, jobId);
  const hasBoth = ['file', 'message'].every((kind) => comparable(proof, kind).length > 0);
  return hasBoth ? proof : proveComparable(services, jobId);
}

/** The files of the drives of people, as Graph lists them. Some have none. */
async function filesOf(connection: GraphConnection, people: readonly string[]) {
  const files: string[] = [];
  for (const person of people) {
    const drive = await connection.ask({ path: `/users/${person}/drive?$select=id` }).catch(() => null);
    if (drive === null) continue;
    const of = `/drives/${String(drive['id'])}`;
    for await (const { value } of connection.pages({ path: `${of}/root/delta` }))
      files.push(...value.filter((item) => 'file' in item).map(({ id }) => `${of}/items/${String(id)}`));
  }
  return files;
}

/** Paths of the packs of a repository. */
async function packsOf(repositoryId: string): Promise<string[]> {
  const stored = await row<{ place: string }>(
    bed.database.pool,
    sql`select place from m365_repositories where id = ${repositoryId}`,
  );
  const files = await readdir(stored?.place ?? '', { recursive: true, withFileTypes: true });
  const packs = files.filter((file) => file.isFile() && file.parentPath.includes('pack'));
  expect(packs.length).toBeGreaterThan(0);
  return packs.map(({ parentPath, name }) => join(parentPath, name));
}

/** Changes a byte here and there: each body is encrypted and checked as a whole. */
async function changePack(path: string): Promise<void> {
  const bytes = await readFile(path);
  for (let at = 64; at < bytes.length; at += 512) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
}

describe('a proof', () => {
  it('restores items of every kind to memory, and finds files and messages as Microsoft has them', async () => {
    const { jobId, services } = await backedUp();
    const proof = await proveComparable(services, jobId);
    expect(proof).toMatchObject({ status: 'Success', details: null, username: 'ada' });
    expect(proof.sample.length).toBeGreaterThanOrEqual(15);
    expect(proof.items).toBe(proof.sample.length);
    expect(proof.bytes).toBe(proof.sample.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(proof.bytes).toBeGreaterThan(0);
    const kinds = proof.kinds.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['contact', 'event', 'file', 'folder', 'mail-folder', 'message']));
    expect(comparisons(proof, 'file')).toEqual(new Set(['same']));
    expect(comparisons(proof, 'message')).toEqual(new Set(['same']));
    const reason = 'Only files and messages of mailboxes are compared.';
    expect(ofKind(proof, 'event')[0]).toMatchObject({ comparison: 'not-compared', reason });
    // What is in backups is shown in the restore portal alone.
    expect(proof.sample.map(({ name }) => name)).toEqual(proof.sample.map(() => null));
    expect((await monitored(jobId)).at(-1)).toMatchObject({ name: 'Proof of Mail and files', result: 'Success' });
  });

  it('says which files changed at Microsoft since, and which are gone', async () => {
    const { jobId, services, people, organization } = await backedUp();
    const connection = await services.connect(organization);
    const files = await filesOf(connection, people);
    for (const path of files)
      await connection.ask({ method: 'PUT', path: `${path}/content`, body: Buffer.from(`changed ${path}`) });
    const changed = await proveComparable(services, jobId);
    expect(changed.status).toBe('Success');
    expect(comparisons(changed, 'file')).toEqual(new Set(['changed']));
    expect(comparisons(changed, 'message')).toEqual(new Set(['same']));
    for (const path of files) await connection.ask({ method: 'DELETE', path });
    expect(comparisons(await proveComparable(services, jobId), 'file')).toEqual(new Set(['gone']));
  });

  it.each([
    ['changed', changePack],
    ['deleted', rm],
  ])(
    'of a repository with packs that were %s ends as Failed, names what cannot be restored, and Monitoring shows it',
    async (_, damage) => {
      const { jobId, repositoryId, services } = await backedUp();
      // What this one has read must not hide what becomes of it.
      expect((await prove(services, jobId)).status).toBe('Success');
      for (const pack of await packsOf(repositoryId)) await damage(pack);
      const proof = await prove(services, jobId);
      expect(proof).toMatchObject({
        status: 'Failed',
        details: expect.stringMatching(/cannot be restored as they were/),
      });
      const faulty = proof.sample.filter(({ fault }) => fault !== null);
      expect(faulty.length).toBeGreaterThan(0);
      expect(proof.items).toBe(proof.sample.length - faulty.length);
      expect(faulty[0]).toMatchObject({ name: expect.any(String), fault: expect.any(String) });
      expect(comparisons(proof, faulty[0]?.kind ?? '')).toContain('not-compared');
      const [, shown] = await monitored(jobId);
      expect(shown).toMatchObject({ result: 'Failed' });
      const detail = await findExecutionDetail(bed.database.pool, new Scope(1, null), shown?.id ?? '', newId());
      expect(detail?.message).toBe(proof.details);
      expect(detail?.log[0]).toMatchObject({ level: 'error', text: expect.stringContaining(faulty[0]?.name ?? '-') });
    },
    90_000,
  );

  it('ends as Failed where the repository cannot be opened, and says why', async () => {
    const { jobId, services, remove } = await backedUp();
    await remove();
    const proof = await prove(services, jobId);
    expect(proof).toMatchObject({ status: 'Failed', details: expect.any(String), items: 0, sample: [] });
    expect(await monitored(jobId)).toMatchObject([{ result: 'Failed' }]);
  });

  it('is begun again as often as programs end in order, and ends as Failed where three workers ended unexpectedly', async () => {
    const { jobId, services } = await backedUp();
    const key = { providerId: 1, id: jobId };
    const proofId = (await insertProof(bed.database.pool, key, null, new Date())) ?? '';
    const begin = (signal: AbortSignal) => runProof(services, { providerId: 1, proofId }, signal);
    const last = async () => (await listStoredProofs(bed.database.pool, key, { limit: 1, offset: 0 })).data[0];
    const stopped = AbortSignal.abort(new Error('the program ends'));
    for (let times = 0; times < 5; times += 1) await expect(begin(stopped)).rejects.toThrow();
    expect(await last()).toMatchObject({ status: 'Running' });
    // As three processes leave it that were killed.
    await execute(bed.database.pool, sql`update m365_proofs set claims = 3 where id = ${proofId}`);
    await begin(new AbortController().signal);
    const details = expect.stringContaining('Each worker that began this ended unexpectedly');
    expect(await last()).toMatchObject({ status: 'Failed', details });
  });

  it('goes on without comparing where the tenant cannot be asked, and says why', async () => {
    const { jobId, services } = await backedUp();
    const connect = () => Promise.reject(new Error('No application may read it any more.'));
    const proof = await prove({ ...services, connect }, jobId);
    expect(proof.status).toBe('Success');
    const reason = 'No application may read it any more.';
    expect(ofKind(proof, 'message')[0]).toMatchObject({ comparison: 'not-compared', reason });
  });
});

describe('the schedule of proofs', () => {
  it('proves an enabled job with a restore point weekly, once', async () => {
    const { jobId } = await backedUp();
    const sent: TestPortal['sent'] = [];
    const plan = (at: Date) => planProofs(bed.database.pool, recordingQueue(sent), at);
    const now = new Date();
    const planned = await Promise.all([plan(now), plan(now)]);
    expect(planned[0] + planned[1]).toBe(1);
    await execute(
      bed.database.pool,
      sql`update m365_proofs set ended_at = started_at, result = 'Success' where job_id = ${jobId}`,
    );
    expect(await plan(new Date(now.getTime() + 6 * DAY_MS))).toBe(0);
    await execute(bed.database.pool, sql`update m365_jobs set is_enabled = false`);
    expect(await plan(new Date(now.getTime() + 8 * DAY_MS))).toBe(0);
    await execute(bed.database.pool, sql`update m365_jobs set is_enabled = true`);
    expect(await plan(new Date(now.getTime() + 8 * DAY_MS))).toBe(1);
    expect(sent.map(({ name }) => name)).toEqual(['microsoft365.run-proof', 'microsoft365.run-proof']);
  });

  it('proves no job without a restore point, and ends a proof as Failed that no worker began for days', async () => {
    const { buildJob } = await bed.place();
    const id = await buildJob();
    expect(await planProofs(bed.database.pool, recordingQueue([]), new Date())).toBe(0);
    const key = { providerId: 1, id };
    await insertProof(bed.database.pool, key, null, new Date());
    await endLostProofs(bed.database.pool, new Date(Date.now() + 9 * DAY_MS));
    const { data } = await listStoredProofs(bed.database.pool, key, { limit: 5, offset: 0 });
    expect(data).toMatchObject([{ status: 'Failed', details: expect.stringContaining('8 days') }]);
  });
});
