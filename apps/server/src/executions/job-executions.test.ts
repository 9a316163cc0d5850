import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltJob, buildCompany, buildExecution, buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const HOUR_MS = 3_600_000;
let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

describe('GET monitoring/reporting/jobs', () => {
  it('200: lists pending executions, newest first, with the names of job and company', async () => {
    const job = await buildJob(portal.database, {
      name: 'Mail server',
      companyId: await buildCompany(portal.database, { name: 'Northwind' }),
    });
    const older = await buildExecution(portal.database, job, { startedAt: hoursAgo(30), message: 'Disk full' });
    const newer = await buildExecution(portal.database, job, { startedAt: hoursAgo(6), result: 'Warning' });
    await buildExecution(portal.database, job, { startedAt: hoursAgo(3), result: 'Success' });
    await buildExecution(portal.database, job, { startedAt: hoursAgo(49) });

    const reader = await portal.as('read-only');
    const list = await reader.call(listJobExecutions, {
      query: { filter: { state: 'pending', jobInstanceUids: job.jobInstanceUid } },
    });

    expect(list.count).toBe(2);
    expect(list.data.map((execution) => execution._id)).toEqual([newer, older]);
    expect(list.data[1]).toMatchObject({
      jobName: 'Mail server',
      companyName: 'Northwind',
      message: 'Disk full',
      result: 'Failed',
      startedAt: hoursAgo(30).toISOString(),
    });
  });

  it('200: lists successes with an anomaly beside failures unless the filter excludes them', async () => {
    const job = await buildJob(portal.database);
    const odd = { result: 'Success', state: 'pending', anomalies: ['size'] } as const;
    await buildExecution(portal.database, job, { startedAt: hoursAgo(1), ...odd, message: 'odd' });
    await buildExecution(portal.database, job, { startedAt: hoursAgo(2), message: 'failed' });
    expect(await messages(job, {})).toEqual(['odd', 'failed']);
    expect(await messages(job, { anomaly: false })).toEqual(['failed']);
    expect(await messages(job, { type: 'Success' })).toEqual(['odd']);
  });

  it('200: lists ignored executions only on request, whatever their state', async () => {
    const job = await buildJob(portal.database);
    for (const [index, state] of (['pending', 'in-progress', 'resolved', 'ignored'] as const).entries())
      await buildExecution(portal.database, job, { startedAt: hoursAgo(index + 1), state, message: state });
    expect(await messages(job, {})).toEqual(['pending', 'in-progress', 'resolved']);
    expect(await messages(job, { state: 'in-progress' })).toEqual(['in-progress']);
    expect(await messages(job, { state: 'pending', ignored: true })).toEqual(['pending', 'ignored']);
    expect(await messages(job, { state: 'ignored' })).toEqual(['ignored']);
    expect(await messages(job, { state: 'all', ignored: true })).toHaveLength(4);
  });

  it('200: finds a text in message, job and company, and treats wildcards literally', async () => {
    const companyId = await buildCompany(portal.database, { name: "Søren's <shop>" });
    const job = await buildJob(portal.database, { companyId, name: 'SQL_01 100%' });
    await buildExecution(portal.database, job, { message: "can't open C:\\data" });
    for (const search of ["søren's <SHOP>", 'sql_01 100%', "CAN'T OPEN C:\\d"])
      expect(await messages(job, { search })).toEqual(["can't open C:\\data"]);
    for (const search of ['sql-01', '%%', "' or 1=1 --"]) expect(await messages(job, { search })).toEqual([]);
  });

  it('200: sorts by name across pages and counts all rows', async () => {
    const reader = await portal.as('read-only');
    const companyId = await buildCompany(portal.database);
    for (const name of ['b', 'A', 'c'])
      await buildExecution(portal.database, await buildJob(portal.database, { companyId, name }));
    const page = async (sort: 'jobName' | '-jobName', offset: number) => {
      const query = { filter: { companyIds: companyId }, sort, limit: 2, offset };
      const { count, data } = await reader.call(listJobExecutions, { query });
      return [count, ...data.map((execution) => execution.jobName)];
    };
    expect(await page('jobName', 0)).toEqual([3, 'A', 'b']);
    expect(await page('jobName', 2)).toEqual([3, 'c']);
    expect(await page('-jobName', 0)).toEqual([3, 'c', 'b']);
  });

  it('200: returns the default range when the request names none', async () => {
    const reader = await portal.as('read-only');
    const { query } = await reader.call(listJobExecutions, {});
    expect(query).toEqual({ limit: 10, offset: 0, from: hoursAgo(48).toISOString(), to: TEST_NOW.toISOString() });
  });

  it('401: refuses a request without a token', async () => {
    const response = await portal.anonymous.send(listJobExecutions, {});
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ success: false, code: 'NOT_SIGNED_IN' });
  });

  it('403: refuses a user without access to the daily checks', async () => {
    const admin = await portal.as('admin');
    expect((await admin.send(listJobExecutions, {})).status).toBe(403);
  });

  it('422: names every invalid field', async () => {
    const reader = await portal.as('read-only');
    const response = await reader.raw(
      'GET',
      '/api/monitoring/reporting/jobs?limit=-1&filter.stat=pending&from="1026-01-01"',
    );
    const reply = await response.json();
    expect(response.status).toBe(422);
    expect(reply.errors.map((error: { path: string }) => error.path)).toEqual(
      expect.arrayContaining(['query.limit', 'query.from']),
    );
    expect(JSON.stringify(reply.errors)).toContain('stat');
  });
});

type Filter = NonNullable<NonNullable<CallRequest<typeof listJobExecutions>['query']>['filter']>;

/** Returns the messages of one job's executions that match a filter, newest first. */
async function messages(job: BuiltJob, filter: Filter) {
  const reader = await portal.as('read-only');
  const query = { filter: { ...filter, jobInstanceUids: job.jobInstanceUid } };
  const { data, count } = await reader.call(listJobExecutions, { query });
  expect(count).toBe(data.length);
  return data.map((execution) => execution.message);
}

function hoursAgo(hours: number): Date {
  return new Date(TEST_NOW.getTime() - hours * HOUR_MS);
}
