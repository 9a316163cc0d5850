import { listJobExecutions } from '@keepwatch/contract/monitoring/job-executions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildExecution, buildJob } from '../../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';

const HOUR_MS = 3_600_000;
let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

describe('GET monitoring/reporting/jobs', () => {
  it('200: gives what waits for a person, newest first, with the names of job and company', async () => {
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

  it('401: refuses without a token', async () => {
    const response = await portal.anonymous.send(listJobExecutions, {});
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ success: false, code: 'NOT_SIGNED_IN' });
  });

  it('403: refuses who may not see the daily checks', async () => {
    const admin = await portal.as('admin');
    expect((await admin.send(listJobExecutions, {})).status).toBe(403);
  });

  it('422: names every field that is wrong and ignores none', async () => {
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

function hoursAgo(hours: number): Date {
  return new Date(TEST_NOW.getTime() - hours * HOUR_MS);
}
