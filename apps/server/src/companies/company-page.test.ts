import { exportCompanyJobs, getCompany, listCompanies } from '@keepwatch/contract/companies/companies';
import { editFaults } from '@keepwatch/contract/faults/faults';
import type { Anomaly, Result } from '@keepwatch/contract/runs/values';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { type BuiltJob, buildCompany, buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
/** Sees companies and their faults. */
let technician: Caller;
let id: string;

beforeAll(async () => {
  portal = await startTestPortal();
  technician = await portal.as(['admin', 'operator']);
});
beforeEach(async () => {
  await portal.database.query('truncate job_executions, faults, jobs, audit_entries, companies cascade');
  id = await buildCompany(portal.database, { name: 'Acme' });
});
afterAll(() => portal.stop());

interface GivenRun {
  day: number;
  result?: Result;
  anomalies?: readonly Anomaly[];
  message?: string;
}

/** A job of a company with its runs, of which the last one gives it its status. */
async function build(name: string, runs: readonly GivenRun[], companyId = id): Promise<BuiltJob> {
  const lastResult = runs.at(-1)?.result ?? 'Failed';
  const job = await buildJob(portal.database, { name, companyId, lastResult });
  for (const { day, ...run } of runs)
    await buildExecution(portal.database, job, { startedAt: daysAgo(day), state: 'pending', ...run });
  await refreshFaults(portal.database, 1, [wholeSpan(job.jobInstanceUid)]);
  return job;
}

const fine = (day: number): GivenRun => ({ day, result: 'Success' });
const doubtful = (day: number): GivenRun => ({ day, result: 'Success', anomalies: ['no-restore-point'] });
const warned = (day: number): GivenRun => ({ day, result: 'Warning' });
const page = async (caller = technician) => (await caller.call(getCompany, { params: { id } })).data;

describe('GET companies/{id}', () => {
  it('200: counts the open faults by kind, and says which job has waited longest for a good restore point', async () => {
    await build('Fine', [fine(1)]);
    await build('Healed', [{ day: 3 }, fine(1)]);
    await build('Failed', [fine(9), { day: 8 }, { day: 1 }]);
    await build('Missed', [fine(3), { day: 2, result: 'DidntRun' }]);
    await build('Odd', [fine(4), doubtful(1)]);
    await build('Warned', [fine(40), warned(1)]);
    await build('Slow', [fine(50), { day: 1, result: 'Success', anomalies: ['duration', 'size'] }]);
    await build('Elsewhere', [fine(60), { day: 1 }], await buildCompany(portal.database));
    expect(await page()).toMatchObject({
      openFaults: { failed: 1, missed: 1, doubtful: 2, warning: 1 },
      longestWithoutFine: { jobName: 'Failed', days: 9 },
      doubtful: 2,
    });
  });

  it('200: counts no day where a job never had a good run, and puts it where its failures began', async () => {
    await build('Recent', [{ day: 2 }]);
    await build('Older', [fine(5), { day: 4 }]);
    expect((await page()).longestWithoutFine).toEqual({ jobName: 'Older', days: 5 });
    await build('Odd', [fine(6), doubtful(1)]);
    expect((await page()).longestWithoutFine).toEqual({ jobName: 'Odd', days: 6 });
    await build('Never', [{ day: 7 }, { day: 1 }]);
    expect((await page()).longestWithoutFine).toEqual({ jobName: 'Never', days: null });
  });

  it('200: leaves out what is ignored, disabled or gone, and keeps what was resolved without a good run since', async () => {
    const ignored = await build('Ignored', [fine(30), { day: 1 }]);
    for (const [name, change] of [
      ['Disabled', sql`is_enabled = false`],
      ['Gone', sql`removed_at = now()`],
    ] as const) {
      const job = await build(name, [fine(20), { day: 1 }]);
      await execute(portal.database, sql`update jobs set ${change} where job_instance_uid = ${job.jobInstanceUid}`);
    }
    const resolved = await build('Resolved', [fine(6), { day: 1 }]);
    const operator = await portal.as('operator');
    const faultOf = async ({ jobInstanceUid }: BuiltJob) =>
      (
        await rows<{ id: string }>(
          portal.database,
          sql`select id from faults where job_instance_uid = ${jobInstanceUid}`,
        )
      )[0]?.id ?? '';
    await operator.call(editFaults, { body: { ids: [await faultOf(ignored)], change: { state: 'ignored' } } });
    await operator.call(editFaults, { body: { ids: [await faultOf(resolved)], change: { state: 'resolved' } } });
    expect((await page()).longestWithoutFine).toEqual({ jobName: 'Resolved', days: 6 });
  });

  it('200: has neither faults nor a waiting job where all is fine', async () => {
    await build('Fine', [fine(1)]);
    const none = { failed: 0, missed: 0, doubtful: 0, warning: 0 };
    expect(await page()).toMatchObject({ openFaults: none, longestWithoutFine: null, doubtful: 0 });
  });

  it('404: of another provider, and outside the companies of the caller', async () => {
    const others = [
      await portal.as('admin', { providerId: 2 }),
      await portal.as('sub-sp', { companyIds: [await buildCompany(portal.database)] }),
    ];
    for (const other of others) expect((await other.send(getCompany, { params: { id } })).status).toBe(404);
  });
});

describe('GET companies', () => {
  it('200: sorts by trouble: failed, missed, doubtful, warning, then by name', async () => {
    const named = (name: string) => buildCompany(portal.database, { name });
    const given: [string, GivenRun[][]][] = [
      ['Calm b', [[fine(1)]]],
      ['calm a', []],
      ['Warned', [[warned(1)], [warned(1)], [warned(1)]]],
      ['Doubtful', [[doubtful(1)], [doubtful(1)]]],
      ['Failed once', [[{ day: 1 }]]],
      ['Failed and warned', [[{ day: 1 }], [warned(1)]]],
    ];
    for (const [name, jobs] of given) {
      const companyId = await named(name);
      for (const [number, runs] of jobs.entries()) await build(`Job ${number}`, runs, companyId);
    }
    const missed = await named('Missed');
    await buildJob(portal.database, { companyId: missed, lastResult: 'Success', overdueAt: daysAgo(1) });
    const { data } = await technician.call(listCompanies, { query: { sort: '-trouble', limit: 50 } });
    expect(data.map(({ name }) => name)).toEqual([
      'Failed and warned',
      'Failed once',
      'Missed',
      'Doubtful',
      'Warned',
      'Acme',
      'calm a',
      'Calm b',
    ]);
  });
});

describe('POST companies/{id}/export', () => {
  const exported = async (caller: Caller) => {
    const reply = await caller.send(exportCompanyJobs, { params: { id }, body: { format: 'csv' } });
    expect(reply.status).toBe(200);
    const name = /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1];
    return { name, lines: (await reply.text()).replace('\uFEFF', '').trim().split('\r\n') };
  };

  it('200: lists the jobs of the company with the open fault of each, the worst first, without formulas', async () => {
    await build('Fine', [fine(1)]);
    await build('Warned', [fine(3), warned(1)]);
    await build('=cmd()', [fine(3), { day: 2, message: '+1 disk is full' }, { day: 1, message: '=HYPERLINK("x")' }]);
    await build('Elsewhere', [{ day: 1 }], await buildCompany(portal.database));
    const { name, lines } = await exported(technician);
    expect(name).toMatch(/^CompanyJobs-.+\.csv$/);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('Job,Job type,Data source,Server,Target,Enabled,Status,Last run (UTC)');
    expect(lines[1]).toMatch(/^'=cmd\(\),.*,failed,pending,.*,2,/);
    expect(lines[1]).toContain('"\'=HYPERLINK(""x"")"');
    expect(lines[2]).toMatch(/^Warned,.*,Warning,.*,warning,pending,/);
    expect(lines[3]).toMatch(/^Fine,.*,Success,/);
    expect(
      await rows(portal.database, sql`select action, after from audit_entries where action like 'company.%'`),
    ).toEqual([{ action: 'company.export-jobs', after: { companyId: id } }]);
  });

  it('200: has no faults for users who may not see them', async () => {
    await build('Failed', [{ day: 1, message: 'The disk is full' }]);
    const { lines } = await exported(await portal.as('admin'));
    expect(lines[0]).not.toContain('Open fault');
    expect(lines[1]).toMatch(/^Failed,/);
    expect(lines[1]).not.toContain('The disk is full');
  });

  it('404: of a company outside the scope of the caller', async () => {
    const stranger = await portal.as('admin', { providerId: 2 });
    expect((await stranger.send(exportCompanyJobs, { params: { id }, body: { format: 'csv' } })).status).toBe(404);
  });
});
