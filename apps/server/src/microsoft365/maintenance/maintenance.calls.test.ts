import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editMaintenancePlan, readMaintenance, startMaintenance } from '@keepwatch/contract/microsoft365/maintenance';
import { createM365Repository, editM365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { openLog } from '../../foundation/log.ts';
import { buildOwnOrganization } from '../../testing/microsoft365-builders.ts';
import {
  type Caller,
  recordingQueue,
  startTestPortal,
  TEST_SECRETS,
  type TestPortal,
} from '../../testing/test-portal.ts';
import { planMaintenance } from './plan-maintenance.ts';
import { runMaintenanceJob } from './run-maintenance.job.ts';
import { runMaintenance } from './run-maintenance.ts';

let portal: TestPortal;
let admin: Caller;
let folder: string;
let folders = 0;
const password = 'an orange in the attic';

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-maintenance-'));
});
afterAll(async () => {
  await portal.stop();
  await rm(folder, { recursive: true });
});

/** A repository that is really there, made by the call. */
async function makeRepository(): Promise<string> {
  folders += 1;
  const { id: organizationId } = await buildOwnOrganization(portal.database);
  const place = { kind: 'folder', path: join(folder, String(folders)) } as const;
  const secret = { password, repeatPassword: password, passwordDescription: '' };
  const body = { organizationId, name: `Repository ${folders}`, place, ...secret, retentionPolicy: 1 as const };
  return (await admin.call(createM365Repository, { body })).data.id;
}

const seen = async (id: string) => (await admin.call(readMaintenance, { params: { id } })).data;

/** Does what waits in the queue, as a worker does. */
async function work(sent: TestPortal['sent'] = portal.sent): Promise<void> {
  const services = { ...portal, secrets: TEST_SECRETS, log: openLog('silent', 'test'), now: () => portal.clock.now };
  for (const { name, payload } of sent.splice(0))
    if (name === runMaintenanceJob.name)
      await runMaintenance(services, runMaintenanceJob.payload.parse(payload), new AbortController().signal);
}

const monitored = (repositoryId: string) =>
  rows<{ name: string; result: string }>(
    portal.database,
    sql`select j.name, e.result from job_executions e join jobs j on j.provider_id = e.provider_id and j.job_instance_uid = e.job_instance_uid
        where j.external_id like ${`${repositoryId}/%`} and e.source_group = 'office365' order by e.started_at`,
  );

describe('the maintenance of a repository', () => {
  it('200: is planned weekly from the beginning, and can be changed', async () => {
    const id = await makeRepository();
    const { plans, runs } = await seen(id);
    expect(runs).toEqual([]);
    expect(plans).toMatchObject([
      { kind: 'verify', isEnabled: true, dailyType: 'Sunday', nextRun: expect.any(String) },
      { kind: 'prune', isEnabled: true, dailyType: 'Saturday', nextRun: expect.any(String) },
    ]);
    const time = { dailyTime: '03:30', timeZone: 'Europe/Berlin' };
    const plan = { isEnabled: true, dailyType: 'Everyday', ...time, depth: 'full' } as const;
    const { data } = await admin.call(editMaintenancePlan, { params: { id, kind: 'verify' }, body: plan });
    expect(data).toEqual({ kind: 'verify', ...plan, nextRun: '2026-03-03T02:30:00.000Z' });
    await admin.call(editMaintenancePlan, { params: { id, kind: 'prune' }, body: { ...plan, isEnabled: false } });
    expect((await seen(id)).plans).toMatchObject([{ depth: 'full' }, { isEnabled: false, nextRun: null }]);
    const entries = await rows<{ action: string }>(
      portal.database,
      sql`select action from audit_entries where target_id = ${id} order by action`,
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'm365-maintenance.edit',
      'm365-maintenance.edit',
      'm365-repository.create',
    ]);
  });

  it('200: runs by hand in a worker, one at a time, and Monitoring shows it', async () => {
    const id = await makeRepository();
    const { data } = await admin.call(startMaintenance, { params: { id, kind: 'verify' }, body: { depth: 'full' } });
    expect((await seen(id)).runs).toMatchObject([{ id: data.runId, status: 'Running', username: admin.username }]);
    const second = await admin.send(startMaintenance, { params: { id, kind: 'prune' }, body: {} });
    expect([second.status, await second.json()]).toMatchObject([409, { code: 'MAINTENANCE_RUNNING' }]);
    await work();
    const [run] = (await seen(id)).runs;
    expect(run).toMatchObject({ kind: 'verify', depth: 'full', status: 'Success', details: null });
    expect(run?.findings.at(-1)?.text).toMatch(/checked/);
    expect(await monitored(id)).toEqual([{ name: `Verify of Repository ${folders}`, result: 'Success' }]);
  });

  it('200: says what a prune would remove, and Monitoring does not count that as a run', async () => {
    const id = await makeRepository();
    await admin.call(startMaintenance, { params: { id, kind: 'prune' }, body: { dryRun: true } });
    await work();
    const [run] = (await seen(id)).runs;
    expect(run).toMatchObject({ kind: 'prune', isDryRun: true, status: 'Success' });
    expect(run?.findings[0]?.text).toMatch(/would go/);
    expect(await monitored(id)).toEqual([]);
  });

  it('runs by its plan when that is due, once, and is due again a week later', async () => {
    const id = await makeRepository();
    await execute(
      portal.database,
      sql`update m365_maintenance_plans set next_run_at = case when repository_id = ${id} and kind = 'verify' then ${portal.clock.now}::timestamptz end`,
    );
    const sent: TestPortal['sent'] = [];
    const plan = () => planMaintenance(portal.database, recordingQueue(sent), portal.clock.now);
    expect(await Promise.all([plan(), plan()]).then(([one, other]) => one + other)).toBe(1);
    await work(sent);
    const { plans, runs } = await seen(id);
    expect(runs).toMatchObject([{ kind: 'verify', status: 'Success', username: null }]);
    expect(plans[0]?.nextRun).toBe('2026-03-08T05:00:00.000Z');
    expect(await plan()).toBe(0);
  });

  it('ends as Failed where the repository cannot be opened, and says why', async () => {
    const id = await makeRepository();
    await rm(join(folder, String(folders)), { recursive: true });
    await admin.call(startMaintenance, { params: { id, kind: 'verify' }, body: {} });
    const services = { ...portal, secrets: TEST_SECRETS, log: openLog('silent', 'test'), now: () => portal.clock.now };
    const [run] = (await seen(id)).runs;
    portal.sent.length = 0;
    await runMaintenance(services, { providerId: 1, runId: run?.id ?? '' }, new AbortController().signal);
    const [ended] = (await seen(id)).runs;
    expect(ended).toMatchObject({ status: 'Failed', details: expect.any(String), findings: [{ level: 'error' }] });
    expect(await monitored(id)).toMatchObject([{ result: 'Failed' }]);
  });

  it('409: a prune of what is retained for ever', async () => {
    const id = await makeRepository();
    await admin.call(editM365Repository, { params: { id }, body: { retentionPolicy: null } });
    const response = await admin.send(startMaintenance, { params: { id, kind: 'prune' }, body: {} });
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'NO_RETENTION' }]);
  });

  it('422: a time zone that is none; 404: a repository of another company', async () => {
    const id = await makeRepository();
    const time = { dailyTime: '03:30', timeZone: 'Mars/North' };
    const body = { isEnabled: true, dailyType: 'Sunday', ...time, depth: 'quick' } as const;
    expect((await admin.send(editMaintenancePlan, { params: { id, kind: 'verify' }, body })).status).toBe(422);
    const { companyId } = await buildOwnOrganization(portal.database);
    const other = await portal.as('o365_admin', { companyIds: [companyId] });
    const known = { ...body, timeZone: 'UTC' };
    for (const params of [{ id }, { id: randomUUID() }]) {
      const responses = await Promise.all([
        other.send(readMaintenance, { params }),
        other.send(editMaintenancePlan, { params: { ...params, kind: 'verify' }, body: known }),
        other.send(startMaintenance, { params: { ...params, kind: 'verify' }, body: {} }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
  });
});
