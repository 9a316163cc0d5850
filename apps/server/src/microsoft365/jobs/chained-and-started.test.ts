import { createM365Job, deleteM365Job, editM365Job, startM365Job } from '@keepwatch/contract/microsoft365/jobs';
import { deleteM365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { row } from '../../foundation/database.ts';
import {
  type BuiltOrganization,
  buildM365Job,
  buildM365Repository,
  buildOwnOrganization,
} from '../../testing/microsoft365-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
let admin: Caller;
let organization: BuiltOrganization;
let repositoryId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  organization = await buildOwnOrganization(portal.database);
  repositoryId = await buildM365Repository(portal.database, organization);
});
afterAll(() => portal.stop());

const named = () => ({ organizationId: organization.id, organizationName: 'Contoso' });
const build = (name: string, afterJobId: string | null = null) =>
  buildM365Job(portal.database, organization, {
    repositoryId,
    name,
    ...(afterJobId === null ? {} : { schedule: { type: 'Chained', afterJobId } }),
  });
const entered = (schedule: { type: 'Daily' } | { type: 'Chained'; afterJobId: string }) => ({
  organizationId: organization.id,
  name: 'Entered',
  backupType: 'EntireOrganization' as const,
  repositoryId,
  schedulePolicy: { runAuto: true, ...schedule },
});
const isByHand = async (jobId: string) =>
  (
    await row<{ isByHand: boolean }>(
      portal.database,
      sql`select is_by_hand as "isByHand" from m365_job_sessions where job_id = ${jobId}`,
    )
  )?.isByHand;

it('does not delete a job after which others run: they would never run again', async () => {
  const jobId = await build('Mail');
  const chained = await build('Files', jobId);
  const refused = await admin.send(deleteM365Job, { params: { jobId }, body: named() });
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('"Files" would never run again') });
  await admin.call(deleteM365Job, { params: { jobId: chained }, body: named() });
  await admin.call(deleteM365Job, { params: { jobId }, body: named() });
});

it('knows a run that a person starts from one that is due: its backup window does not end it', async () => {
  const started = await build('Started');
  await admin.call(startM365Job, { params: { jobId: started }, body: named() });
  expect(await isByHand(started)).toBe(true);
  const body = {
    organizationId: organization.id,
    name: 'At once',
    backupType: 'EntireOrganization' as const,
    repositoryId,
    schedulePolicy: { runAuto: true, type: 'Daily' as const, runNow: true },
  };
  const { data } = await admin.call(createM365Job, { body });
  expect(await isByHand(data.id)).toBe(true);
  const edited = await build('Edited');
  await admin.call(editM365Job, { params: { jobId: edited }, body });
  expect(await isByHand(edited)).toBe(true);
});

it('lets no two changes at the same time make a circle of jobs', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const [one, other] = [await build('One'), await build('Other')];
    const chain = (jobId: string, afterJobId: string) =>
      admin.send(editM365Job, {
        params: { jobId },
        body: {
          organizationId: organization.id,
          name: 'Chained',
          backupType: 'EntireOrganization' as const,
          repositoryId,
          schedulePolicy: { runAuto: true, type: 'Chained' as const, afterJobId },
        },
      });
    const replies = await Promise.all([chain(one, other), chain(other, one)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  }
});

it('deletes no job in the moment in which another one shall run after it', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const first = await build('First');
    const [deleted, made] = await Promise.all([
      admin.send(deleteM365Job, { params: { jobId: first }, body: named() }),
      admin.send(createM365Job, { body: entered({ type: 'Chained', afterJobId: first }) }),
    ]);
    expect([
      [200, 422],
      [409, 200],
    ]).toContainEqual([deleted.status, made.status]);
  }
});

it('removes no repository in the moment in which a job is given it, and says which of the two came first', async () => {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const id = await buildM365Repository(portal.database, organization, { name: `Archive ${attempt}` });
    const [removed, made] = await Promise.all([
      admin.send(deleteM365Repository, {
        body: { id, companyId: organization.companyId, repository: `Archive ${attempt}` },
      }),
      admin.send(createM365Job, { body: { ...entered({ type: 'Daily' }), repositoryId: id } }),
    ]);
    expect([
      [200, 422],
      [409, 200],
    ]).toContainEqual([removed.status, made.status]);
  }
});
