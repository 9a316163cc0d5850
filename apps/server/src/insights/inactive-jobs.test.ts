import {
  ignoreDidntRun,
  ignoreDisabled,
  unignoreDidntRun,
  unignoreDisabled,
} from '@keepwatch/contract/executions/inactive-jobs';
import { getOverviewStats, listDidntRun } from '@keepwatch/contract/insights/insights';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rows } from '../foundation/database.ts';
import { buildCompany, buildJob, buildSource } from '../testing/builders.ts';
import { daysAgo, lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let operator: Caller;
let companyId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
beforeEach(async () => {
  companyId = await buildCompany(portal.database, { name: 'Quiet' });
  portal.clock.now = TEST_NOW;
});
afterAll(() => portal.stop());

type Filter = NonNullable<NonNullable<CallRequest<typeof listDidntRun>['query']>['filter']>;
const list = (filter: Filter = {}, sort?: 'jobName' | '-jobName') =>
  operator.call(listDidntRun, { query: { filter: { companyIds: companyId, ...filter }, sort } });
const build = (given: Parameters<typeof buildJob>[1]) => buildJob(portal.database, { companyId, ...given });

describe('GET monitoring/reporting/jobs/didnt-run', () => {
  it('200: lists enabled jobs that should have run by now, longest overdue first', async () => {
    await build({ name: 'Late', overdueAt: daysAgo(1), lastResult: 'Success', lastStartedAt: daysAgo(2) });
    await build({ name: 'Later', overdueAt: daysAgo(3) });
    await build({ name: 'In time', overdueAt: daysAgo(-1) });
    await build({ name: 'Without plan', overdueAt: null });
    await build({ name: 'Disabled', overdueAt: daysAgo(1), isEnabled: false });

    const { count, data } = await list();
    expect(count).toBe(2);
    expect(data.map((job) => job.jobName)).toEqual(['Later', 'Late']);
    expect(data[1]).toMatchObject({
      companyName: 'Quiet',
      // The tolerance is half a day, but the delay counts from the expected start.
      expectedAt: daysAgo(1.5).toISOString(),
      lastStartedAt: daysAgo(2).toISOString(),
      lastResult: 'Success',
      isIgnored: false,
      ignoredUntil: null,
    });
  });

  it('200: lists as many jobs that have never run as the dashboard counts', async () => {
    await build({ name: 'New' });
    await build({ name: 'New and not due', overdueAt: daysAgo(-1) });
    await build({ name: 'Never ran and overdue', overdueAt: daysAgo(1) });
    await build({ name: 'Never ran and disabled', isEnabled: false });
    await build({ name: 'Ran', lastResult: 'Failed', lastStartedAt: daysAgo(1) });
    const { count, data } = await list({ type: 'never-ran' });
    expect(data.map(({ jobName, expectedAt }) => [jobName, expectedAt])).toEqual([
      ['New', null],
      ['New and not due', null],
    ]);
    const query = { ...lastDays(1), filter: { companyIds: companyId } };
    expect((await operator.call(getOverviewStats, { query })).data.neverRan).toBe(count);
  });

  it('200: does not list jobs that became overdue while the console was unreachable', async () => {
    const sourceId = await buildSource(portal.database, { historyReadTo: daysAgo(2) });
    await build({ name: 'During the outage', sourceId, overdueAt: daysAgo(1) });
    await build({ name: 'Before it', sourceId, overdueAt: daysAgo(3) });
    const neverRead = await buildSource(portal.database, { historyReadTo: null });
    await build({ name: 'Of a console never read', sourceId: neverRead, overdueAt: daysAgo(3) });
    const { count, data } = await list();
    expect([count, data.map((job) => job.jobName)]).toEqual([1, ['Before it']]);
  });

  it('200: lists jobs reported by tools as soon as they are overdue', async () => {
    const sourceId = await buildSource(portal.database, { kind: 'intake', historyReadTo: null });
    await build({ name: 'Reported', sourceId, overdueAt: daysAgo(0.01) });
    expect((await list()).data.map((job) => job.jobName)).toEqual(['Reported']);
  });

  it('200: lists disabled jobs on request, without an expected start', async () => {
    await build({ name: 'B', overdueAt: daysAgo(1), isEnabled: false });
    await build({ name: 'A', overdueAt: daysAgo(1), isEnabled: false });
    const { data } = await list({ type: 'disabled' }, 'jobName');
    expect(data.map((job) => [job.jobName, job.expectedAt])).toEqual([
      ['A', null],
      ['B', null],
    ]);
  });

  it('200: returns an empty list for companies outside the scope', async () => {
    const foreign = await buildJob(portal.database, { providerId: 2, overdueAt: daysAgo(1) });
    expect(await list({ companyIds: foreign.companyId ?? '' })).toMatchObject({ count: 0, data: [] });
  });

  it('422: refuses an unknown type', async () => {
    const response = await operator.raw('GET', '/api/monitoring/reporting/jobs/didnt-run?filter.type=lost');
    expect(response.status).toBe(422);
  });
});

describe('POST and DELETE monitoring/backoffice/jobs/…/ignore', () => {
  it('200: ignores a job until the given time, then lists it again', async () => {
    const { jobInstanceUid } = await build({ overdueAt: daysAgo(1) });
    const ignoredUntil = daysAgo(-2).toISOString();
    await operator.call(ignoreDidntRun, { params: { jobInstanceUid }, body: { ignoredUntil } });
    expect((await list()).count).toBe(0);
    expect((await list({ ignored: true })).data).toMatchObject([{ isIgnored: true, ignoredUntil }]);
    portal.clock.now = daysAgo(-2.1);
    const later = await portal.as('operator');
    const { data } = await later.call(listDidntRun, { query: { filter: { companyIds: companyId } } });
    expect(data).toMatchObject([{ isIgnored: false, ignoredUntil: null }]);
  });

  it('200: ignores a job in one list only, and lists it again once unignored', async () => {
    const { jobInstanceUid } = await build({ isEnabled: false });
    const params = { jobInstanceUid };
    await operator.call(ignoreDidntRun, { params, body: {} });
    expect((await list({ type: 'disabled' })).count).toBe(1);
    await operator.call(ignoreDisabled, { params, body: {} });
    expect((await list({ type: 'disabled' })).count).toBe(0);
    await operator.call(unignoreDisabled, { params });
    expect((await list({ type: 'disabled' })).count).toBe(1);
  });

  it('200: applies the date of the second ignore, and accepts a second unignore', async () => {
    const { jobInstanceUid } = await build({ overdueAt: daysAgo(1) });
    const params = { jobInstanceUid };
    await operator.call(ignoreDidntRun, { params, body: {} });
    await operator.call(ignoreDidntRun, { params, body: { ignoredUntil: daysAgo(-5).toISOString() } });
    expect((await list({ ignored: true })).data).toMatchObject([{ ignoredUntil: daysAgo(-5).toISOString() }]);
    await operator.call(unignoreDidntRun, { params });
    await operator.call(unignoreDidntRun, { params });
    expect((await list()).count).toBe(1);
  });

  it('200: records user and job in the audit log', async () => {
    const { jobInstanceUid } = await build({ overdueAt: daysAgo(1) });
    await operator.call(ignoreDidntRun, { params: { jobInstanceUid }, body: {} });
    const entries = await rows(
      portal.database,
      sql`select action, user_id, after from audit_entries where target_id = ${jobInstanceUid}`,
    );
    expect(entries).toEqual([
      { action: 'job.ignore-didnt-run', user_id: operator.userId, after: { ignoredUntil: null } },
    ]);
  });

  it('404: refuses a job of another provider like an unknown one', async () => {
    const foreign = await buildJob(portal.database, { providerId: 2 });
    const missing = '00000000-0000-4000-8000-000000000000';
    for (const call of [ignoreDidntRun, ignoreDisabled, unignoreDidntRun, unignoreDisabled]) {
      const bodies = await Promise.all(
        [foreign.jobInstanceUid, missing].map(async (jobInstanceUid) => {
          const body = call.method === 'POST' ? '{}' : undefined;
          const address = `/api${call.path.replace('{jobInstanceUid}', jobInstanceUid)}`;
          const response = await operator.raw(call.method, address, body === undefined ? {} : { body });
          expect(response.status).toBe(404);
          const { requestId, ...rest } = await response.json();
          return rest;
        }),
      );
      expect(bodies[0]).toEqual(bodies[1]);
    }
  });

  it('422: refuses an invalid date', async () => {
    const { jobInstanceUid } = await build({});
    for (const ignoredUntil of [
      'tomorrow',
      '2026-02-31T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '9999-01-01T00:00:00Z',
      '2026-03-01T00:00:00+99:00',
    ]) {
      const response = await operator.send(ignoreDidntRun, { params: { jobInstanceUid }, body: { ignoredUntil } });
      expect([ignoredUntil, response.status]).toEqual([ignoredUntil, 422]);
    }
  });
});
