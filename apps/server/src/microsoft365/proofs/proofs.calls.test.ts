import { listM365Jobs, readM365Job } from '@keepwatch/contract/microsoft365/jobs';
import { listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import { listProofs, startProof } from '@keepwatch/contract/microsoft365/proofs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert } from '../../foundation/table-writes.ts';
import { buildM365Job, buildOwnOrganization, buildSession } from '../../testing/microsoft365-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { m365Proofs } from '../tables.ts';

let portal: TestPortal;
let admin: Caller;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
});
afterAll(() => portal.stop());

async function aJob(withRestorePoint = true) {
  const organization = await buildOwnOrganization(portal.database);
  const id = await buildM365Job(portal.database, organization);
  if (withRestorePoint) await buildSession(portal.database, { providerId: 1, id });
  return { id, organization };
}

const daysAgo = (days: number) => new Date(TEST_NOW.getTime() - days * 86_400_000);

async function proved(jobId: string, days: number, result: 'Success' | 'Failed', items: number): Promise<void> {
  const at = daysAgo(days);
  const repositoryId = sql`(select j.repository_id from m365_jobs j where j.id = ${jobId})`;
  const row = { providerId: 1, id: newId(), jobId, repositoryId, username: null, startedAt: at, endedAt: at, result };
  await insert(portal.database, m365Proofs, { ...row, items, bytes: items * 1_000 });
}

it('200: starts a proof, hands it to a worker, lists it and says who started it', async () => {
  const { id } = await aJob();
  const { data } = await admin.call(startProof, { params: { jobId: id } });
  const listed = await admin.call(listProofs, { params: { jobId: id }, query: { limit: 10 } });
  const { username } = admin;
  expect(listed).toMatchObject({ count: 1, data: [{ id: data.proofId, status: 'Running', username, sample: [] }] });
  expect(portal.sent.at(-1)?.payload).toEqual({ providerId: 1, proofId: data.proofId });
  const audited = await rows(portal.database, sql`select action from audit_entries where target_id = ${id}`);
  expect(audited).toEqual([{ action: 'm365-proof.start' }]);
});

it('200: a job says how its last proof ended', async () => {
  const { id } = await aJob();
  expect((await admin.call(readM365Job, { params: { jobId: id } })).data.lastProof).toBeNull();
  await proved(id, 10, 'Failed', 3);
  await proved(id, 3, 'Success', 20);
  const lastProof = { endTime: daysAgo(3).toISOString(), status: 'Success', items: 20, bytes: 20_000 };
  expect((await admin.call(readM365Job, { params: { jobId: id } })).data.lastProof).toEqual(lastProof);
  const { data } = await admin.call(listM365Jobs, { query: { limit: 100 } });
  expect(data.find((job) => job.id === id)?.lastProof).toEqual(lastProof);
});

it('200: an organization says how the last proofs of its jobs ended, and is as bad as the worst', async () => {
  const { id, organization } = await aJob();
  const lastProof = async () => {
    const { data } = await admin.call(listOrganizations, { query: { limit: 100 } });
    return data.find((one) => one.id === organization.id)?.lastProof;
  };
  expect(await lastProof()).toBeNull();
  await proved(id, 3, 'Success', 20);
  const other = await buildM365Job(portal.database, organization);
  await proved(other, 5, 'Success', 10);
  const sums = { items: 30, bytes: 30_000, jobs: 2 };
  expect(await lastProof()).toEqual({ endTime: daysAgo(5).toISOString(), status: 'Success', ...sums });
  await proved(id, 1, 'Failed', 20);
  expect(await lastProof()).toEqual({ endTime: daysAgo(1).toISOString(), status: 'Failed', ...sums });
});

it('409: a second proof at the same time, and a job without a restore point', async () => {
  const { id } = await aJob();
  await admin.call(startProof, { params: { jobId: id } });
  const second = await admin.send(startProof, { params: { jobId: id } });
  expect([second.status, await second.json()]).toMatchObject([409, { code: 'PROOF_RUNNING' }]);
  const empty = await aJob(false);
  const response = await admin.send(startProof, { params: { jobId: empty.id } });
  expect([response.status, await response.json()]).toMatchObject([409, { code: 'NO_RESTORE_POINT' }]);
});

it('404: a job of another company, and one that is none', async () => {
  const { id } = await aJob();
  const { organization } = await aJob();
  const other = await portal.as('o365_admin', { companyIds: [organization.companyId] });
  for (const [caller, jobId] of [
    [other, id],
    [admin, newId()],
  ] as const) {
    expect((await caller.send(listProofs, { params: { jobId }, query: { limit: 10 } })).status).toBe(404);
    expect((await caller.send(startProof, { params: { jobId } })).status).toBe(404);
  }
});
