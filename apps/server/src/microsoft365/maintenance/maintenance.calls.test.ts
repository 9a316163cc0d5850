import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getJobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getSpreadsheetReport } from '@keepwatch/contract/insights/calendar';
import {
  editMaintenancePlan,
  readMaintenance,
  startMaintenance,
  stopMaintenance,
} from '@keepwatch/contract/microsoft365/maintenance';
import {
  createM365Repository,
  editM365Repository,
  listRepositoriesOf,
} from '@keepwatch/contract/microsoft365/repositories';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { openLog } from '../../foundation/log.ts';
import { buildOwnOrganization } from '../../testing/microsoft365-builders.ts';
import { lastDays } from '../../testing/report-builders.ts';
import {
  type Caller,
  recordingQueue,
  startTestPortal,
  TEST_SECRETS,
  type TestPortal,
} from '../../testing/test-portal.ts';
import { followStop } from './follow-stop.ts';
import { endLostMaintenance, planMaintenance } from './plan-maintenance.ts';
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

const services = () => ({
  ...portal,
  secrets: TEST_SECRETS,
  log: openLog('silent', 'test'),
  now: () => portal.clock.now,
});

/** Does what waits in the queue, as a worker does. */
async function work(sent: TestPortal['sent'] = portal.sent): Promise<void> {
  for (const { name, payload } of sent.splice(0))
    if (name === runMaintenanceJob.name)
      await runMaintenance(services(), runMaintenanceJob.payload.parse(payload), new AbortController().signal);
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
    await work();
    const [ended] = (await seen(id)).runs;
    expect(ended).toMatchObject({ status: 'Failed', details: expect.any(String), findings: [{ level: 'error' }] });
    expect(await monitored(id)).toMatchObject([{ result: 'Failed' }]);
  });

  it('is planned for a repository that was there before: not sooner than in a day, on the days of new ones', async () => {
    const id = await makeRepository();
    const ofNew = (await seen(id)).plans;
    await execute(portal.database, sql`delete from m365_maintenance_plans`);
    await execute(portal.database, sql.raw(await statementOfExisting()));
    const { plans } = await seen(id);
    const withoutNext = (all: typeof plans) => all.map(({ nextRun: _, ...plan }) => plan);
    expect(withoutNext(plans)).toEqual(withoutNext(ofNew));
    const ends = plans.map(({ nextRun }) => new Date(nextRun ?? ''));
    expect(ends.map((at) => [at.getUTCDay(), at.toISOString().slice(11, 16)])).toEqual([
      [0, '05:00'],
      [6, '05:00'],
    ]);
    for (const at of ends) {
      const days = (at.getTime() - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(1);
      expect(days).toBeLessThanOrEqual(8);
    }
  });

  /** What the migration does for repositories that exist. */
  async function statementOfExisting(): Promise<string> {
    const folder = new URL('../../../migrations/', import.meta.url);
    const name = (await readdir(folder)).find((file) => file.endsWith('_repository_maintenance.sql')) ?? '';
    const statements = (await readFile(new URL(name, folder), 'utf8')).split('--> statement-breakpoint');
    return statements.find((statement) => statement.includes('INSERT INTO')) ?? '';
  }

  const organizationOf = async (repositoryId: string) => {
    const found = await rows<{ id: string }>(
      portal.database,
      sql`select organization_id as id from m365_repositories where id = ${repositoryId}`,
    );
    return found.map(({ id }) => id);
  };

  it('is shown on the repository: when it is due, and that it is switched off', async () => {
    const id = await makeRepository();
    const shown = async () => {
      const { data } = await admin.call(listRepositoriesOf, { body: { organizationsIds: await organizationOf(id) } });
      const [found] = data;
      return [found?.nextVerify, found?.nextPrune];
    };
    const { plans } = await seen(id);
    expect(await shown()).toEqual(plans.map(({ nextRun }) => nextRun));
    const off = {
      isEnabled: false,
      dailyType: 'Saturday',
      dailyTime: '05:00',
      timeZone: 'UTC',
      depth: 'quick',
    } as const;
    await admin.call(editMaintenancePlan, { params: { id, kind: 'prune' }, body: off });
    expect(await shown()).toEqual([plans[0]?.nextRun, null]);
  });

  it('prunes nothing by its plan where everything is retained for ever, and is not overdue when that changes', async () => {
    const id = await makeRepository();
    await admin.call(editM365Repository, { params: { id }, body: { retentionPolicy: null } });
    expect((await seen(id)).plans).toMatchObject([{ kind: 'verify' }, { kind: 'prune', nextRun: null }]);
    await execute(
      portal.database,
      sql`update m365_maintenance_plans set next_run_at = case when repository_id = ${id} and kind = 'prune' then ${portal.clock.now}::timestamptz end`,
    );
    expect(await planMaintenance(portal.database, recordingQueue([]), portal.clock.now)).toBe(0);
    await admin.call(editM365Repository, { params: { id }, body: { retentionPolicy: 1 } });
    expect((await seen(id)).plans[1]?.nextRun).toBe('2026-03-07T05:00:00.000Z');
    expect((await seen(id)).runs).toEqual([]);
  });

  /** Begins a verify that ends with its worker, as a program that stops does it. */
  async function beginAndStop(id: string): Promise<void> {
    const [run] = (await seen(id)).runs;
    const signal = AbortSignal.abort(new Error('the program ends'));
    await expect(runMaintenance(services(), { providerId: 1, runId: run?.id ?? '' }, signal)).rejects.toThrow();
  }

  it('200: is stopped by a person, once, and can be started again', async () => {
    const id = await makeRepository();
    const verify = { params: { id, kind: 'verify' }, body: {} } as const;
    await admin.call(startMaintenance, verify);
    const { data } = await admin.call(stopMaintenance, { params: { id } });
    expect(data).toMatchObject({ kind: 'verify', status: 'Warning', endTime: expect.any(String) });
    expect(data.details).toBe(`${admin.username} stopped it. What was not checked by then may be damaged.`);
    // The worker that comes to it finds that it has ended.
    await work();
    expect(await monitored(id)).toMatchObject([{ result: 'Warning' }]);
    const again = await admin.send(stopMaintenance, { params: { id } });
    expect([again.status, await again.json()]).toMatchObject([409, { message: /has ended already/ }]);
    await admin.call(startMaintenance, verify);
    await work();
    expect((await seen(id)).runs.map(({ status }) => status).toSorted()).toEqual(['Success', 'Warning']);
  });

  it('ends in its worker within seconds when a person stops it, and keeps the end that was stored', async () => {
    const id = await makeRepository();
    const { runId } = (await admin.call(startMaintenance, { params: { id, kind: 'verify' }, body: {} })).data;
    const stopping = followStop(portal.database, { providerId: 1, id: runId }, new AbortController().signal);
    await admin.call(stopMaintenance, { params: { id } });
    await expect.poll(() => stopping.signal.aborted).toBe(true);
    expect(stopping.isStopped()).toBe(true);
    stopping.end();
    expect((await seen(id)).runs).toMatchObject([{ status: 'Warning' }]);
  });

  it('is begun again as often as programs end in order', async () => {
    const id = await makeRepository();
    await admin.call(startMaintenance, { params: { id, kind: 'verify' }, body: {} });
    for (let times = 0; times < 5; times += 1) await beginAndStop(id);
    expect((await seen(id)).runs).toMatchObject([{ status: 'Running' }]);
    await work();
    expect((await seen(id)).runs).toMatchObject([{ status: 'Success' }]);
  });

  it('ends as Failed where three workers ended unexpectedly, and says why', async () => {
    const id = await makeRepository();
    await admin.call(startMaintenance, { params: { id, kind: 'verify' }, body: {} });
    // As three processes leave it that were killed.
    await execute(portal.database, sql`update m365_maintenance_runs set claims = 3 where repository_id = ${id}`);
    await work();
    const details = expect.stringContaining('Each worker that began this ended unexpectedly');
    expect((await seen(id)).runs).toMatchObject([{ status: 'Failed', details }]);
    expect(await monitored(id)).toMatchObject([{ result: 'Failed' }]);
  });

  it('ends as Failed where no worker came for days, so that it can be started again', async () => {
    const id = await makeRepository();
    await admin.call(startMaintenance, { params: { id, kind: 'verify' }, body: {} });
    portal.sent.length = 0;
    const days = (number: number) => new Date(portal.clock.now.getTime() + number * 86_400_000);
    await endLostMaintenance(portal.database, days(7));
    expect((await seen(id)).runs).toMatchObject([{ status: 'Running' }]);
    await endLostMaintenance(portal.database, days(9));
    expect((await seen(id)).runs).toMatchObject([{ status: 'Failed', details: expect.stringContaining('8 days') }]);
    expect((await admin.send(startMaintenance, { params: { id, kind: 'verify' }, body: {} })).status).toBe(200);
  });

  it('is shown to technicians in the daily checks, the calendar and the drawer of Monitoring', async () => {
    const id = await makeRepository();
    await rm(join(folder, String(folders)), { recursive: true });
    await admin.call(startMaintenance, { params: { id, kind: 'verify' }, body: {} });
    await work();
    const details = (await seen(id)).runs[0]?.details;
    const reader = await portal.as('read-only');
    const name = `Verify of Repository ${folders}`;
    const filter = { source: 'office365' as const, search: name };
    const { data } = await reader.call(listJobExecutions, { query: { filter } });
    expect(data).toMatchObject([{ jobName: name, result: 'Failed', state: 'pending', message: details }]);
    const drawer = await reader.call(getJobExecution, { params: { id: data[0]?._id ?? '' } });
    expect(drawer.data.log).toMatchObject([{ level: 'error', text: details }]);
    const calendar = await reader.call(getSpreadsheetReport, { query: { ...lastDays(1), filter } });
    expect(calendar.data).toMatchObject([{ jobName: name, sourceGroup: 'office365', cells: '-F' }]);
  });

  it('409: a prune of what is retained for ever', async () => {
    const id = await makeRepository();
    await admin.call(editM365Repository, { params: { id }, body: { retentionPolicy: null } });
    const response = await admin.send(startMaintenance, { params: { id, kind: 'prune' }, body: {} });
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'NO_RETENTION' }]);
  });

  it('422: a time zone that is none', async () => {
    const id = await makeRepository();
    const time = { dailyTime: '03:30', timeZone: 'Mars/North' };
    const body = { isEnabled: true, dailyType: 'Sunday', ...time, depth: 'quick' } as const;
    expect((await admin.send(editMaintenancePlan, { params: { id, kind: 'verify' }, body })).status).toBe(422);
  });

  it('404: a repository of another company, and one that is none', async () => {
    const id = await makeRepository();
    const { companyId } = await buildOwnOrganization(portal.database);
    const other = await portal.as('o365_admin', { companyIds: [companyId] });
    const time = { dailyTime: '03:30', timeZone: 'UTC' };
    const known = { isEnabled: true, dailyType: 'Sunday', ...time, depth: 'quick' } as const;
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
