import { editJobExecution, getJobExecution, type SolvedBefore } from '@keepwatch/contract/executions/job-executions';
import { editFaults, getFault } from '@keepwatch/contract/faults/faults';
import type { Anomaly, Result } from '@keepwatch/contract/runs/values';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { solvedQuery } from '../executions/solved-before.ts';
import { rows, transaction } from '../foundation/database.ts';
import { Scope } from '../foundation/scope.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { type BuiltJob, buildCompany, buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const EXPIRED = 'Application of the tenant cannot be reached: consent is missing';
let portal: TestPortal;
let operator: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
beforeEach(() => portal.database.query('truncate job_executions, faults, jobs, companies cascade'));
afterAll(() => portal.stop());

interface Given {
  job?: BuiltJob;
  name?: string;
  companyName?: string;
  providerId?: number;
  day?: number;
  result?: Result;
  message?: string | null;
  anomalies?: readonly Anomaly[];
}

/** A job with one run that is not fine; gives the run's id, which is that of the fault, too. */
async function buildFault(given: Given = {}): Promise<{ id: string; job: BuiltJob }> {
  const { name = 'Nightly', companyName = 'Acme', providerId = 1, day = 1, message = EXPIRED, ...run } = given;
  const job =
    given.job ??
    (await buildJob(portal.database, {
      name,
      providerId,
      companyId: await buildCompany(portal.database, { name: companyName, providerId }),
    }));
  const id = await buildExecution(portal.database, job, { state: 'pending', startedAt: daysAgo(day), message, ...run });
  await refreshFaults(portal.database, job.providerId, [wholeSpan(job.jobInstanceUid)]);
  return { id, job };
}

async function solve(id: string, note: string, caller = operator): Promise<void> {
  await caller.call(editFaults, { body: { ids: [id], change: { state: 'resolved', note: { content: note } } } });
}

/** What the fault says, and the run that it is of: always the same. */
async function solvedOf(id: string, caller = operator): Promise<SolvedBefore | null> {
  const fault = await caller.call(getFault, { params: { id } });
  const run = await caller.call(getJobExecution, { params: { id } });
  expect(run.data.solved).toEqual(fault.data.solved);
  return fault.data.solved;
}

describe('what solved the cause of a fault before', () => {
  it('is the note of the last fault of the same message that was resolved with one, of any company', async () => {
    const old = await buildFault({ name: 'Old', companyName: 'Borealis', day: 9 });
    const last = await buildFault({ name: 'Mail', companyName: 'Cobalt', day: 12 });
    const { id } = await buildFault();
    await solve(old.id, 'Restarted');
    portal.clock.now = new Date(TEST_NOW.getTime() + 60_000);
    await solve(last.id, 'Renewed the application certificate');
    portal.clock.now = TEST_NOW;
    expect(await solvedOf(id)).toEqual({
      why: 'message',
      by: operator.username,
      at: new Date(TEST_NOW.getTime() + 60_000).toISOString(),
      note: 'Renewed the application certificate',
      jobName: 'Mail',
      companyName: 'Cobalt',
    });
  });

  it('is also of an earlier fault of the same job, and never the own note', async () => {
    const first = await buildFault({ day: 5 });
    await buildExecution(portal.database, first.job, { result: 'Success', startedAt: daysAgo(4) });
    const { id } = await buildFault({ job: first.job, day: 2 });
    await solve(first.id, 'Consent given again');
    expect(await solvedOf(id)).toMatchObject({ note: 'Consent given again', jobName: 'Nightly' });
    expect(await solvedOf(first.id)).toBeNull();
  });

  it('is nothing that was resolved without a note, noted and not resolved, or whose note was removed', async () => {
    const [silent, open, removed] = [await buildFault(), await buildFault(), await buildFault()];
    const { id } = await buildFault();
    await operator.call(editFaults, { body: { ids: [silent.id], change: { state: 'resolved' } } });
    await operator.call(editFaults, { body: { ids: [open.id], change: { note: { content: 'Looking' } } } });
    await solve(removed.id, 'Wrong');
    expect(await solvedOf(id)).toMatchObject({ note: 'Wrong' });
    const { data } = await operator.call(getJobExecution, { params: { id: removed.id } });
    const noteId = data.notes[0]?._id ?? '';
    await operator.call(editJobExecution, { params: { id: removed.id }, body: { removeNote: noteId } });
    expect(await solvedOf(id)).toBeNull();
  });

  it('is no note from before, and none of another user: they say how things were', async () => {
    const [asked, others, noted] = [await buildFault(), await buildFault(), await buildFault()];
    const { id } = await buildFault();
    const colleague = await portal.as('operator');
    const note = (one: string, content: string, caller = operator) =>
      caller.call(editFaults, { body: { ids: [one], change: { note: { content } } } });
    const resolve = (one: string) => operator.call(editFaults, { body: { ids: [one], change: { state: 'resolved' } } });
    await note(asked.id, 'Asked the customer, no answer yet');
    await note(noted.id, 'Looking into it');
    portal.clock.now = new Date(TEST_NOW.getTime() + 3_600_000);
    await note(noted.id, 'Disk replaced');
    await note(noted.id, 'Thank you', colleague);
    portal.clock.now = new Date(TEST_NOW.getTime() + 3_660_000);
    await resolve(noted.id);
    portal.clock.now = new Date(TEST_NOW.getTime() + 7_200_000);
    await resolve(asked.id);
    await note(others.id, 'Still waiting', colleague);
    await resolve(others.id);
    expect(await solvedOf(id)).toMatchObject({ note: 'Disk replaced', by: operator.username });
    await note(asked.id, 'They renewed the licence');
    expect(await solvedOf(id)).toMatchObject({ note: 'They renewed the licence' });
    portal.clock.now = TEST_NOW;
  });

  it('is nothing where no message says what is wrong', async () => {
    const unclear: Given[] = [
      { result: 'DidntRun', message: null },
      { result: 'Failed', message: null },
      { result: 'Success', message: null, anomalies: ['duration'] },
    ];
    for (const given of unclear) {
      const first = await buildFault({ ...given, day: 5 });
      await buildExecution(portal.database, first.job, { result: 'Success', startedAt: daysAgo(4) });
      const { id } = await buildFault({ ...given, job: first.job, day: 2 });
      await solve(first.id, 'Helped then');
      expect(await solvedOf(id), given.result).toBeNull();
    }
  });

  it('is nothing of a run that is fine', async () => {
    const { id, job } = await buildFault({ day: 5 });
    await solve(id, 'Consent given');
    const fine = await buildExecution(portal.database, job, {
      result: 'Success',
      startedAt: daysAgo(4),
      message: EXPIRED,
    });
    expect((await operator.call(getJobExecution, { params: { id: fine } })).data.solved).toBeNull();
  });

  it('is nothing of a company that the caller may not see', async () => {
    const foreign = await buildFault({ companyName: 'Borealis' });
    const own = await buildFault({ companyName: 'Acme', day: 3 });
    const { id, job } = await buildFault({ companyName: 'Acme' });
    await solve(foreign.id, 'The password of Borealis was changed');
    const companyIds = [job.companyId ?? '', own.job.companyId ?? ''];
    const limited = await portal.as('operator', { companyIds });
    expect(await solvedOf(id)).toMatchObject({ companyName: 'Borealis' });
    expect(await solvedOf(id, limited)).toBeNull();
    await solve(own.id, 'Consent given', limited);
    portal.clock.now = new Date(TEST_NOW.getTime() + 60_000);
    await solve(foreign.id, 'And changed again');
    portal.clock.now = TEST_NOW;
    expect(await solvedOf(id, limited)).toMatchObject({ note: 'Consent given', by: limited.username });
  });

  it('never is of another provider', async () => {
    const foreign = await buildFault({ providerId: 2 });
    const other = await portal.as('operator', { providerId: 2 });
    const { id } = await buildFault();
    await solve(foreign.id, 'A secret of theirs', other);
    expect(await solvedOf(id)).toBeNull();
  });

  it('is found in an index of such faults, whatever else there is', async () => {
    const cause = { key: 'a', why: 'message' } as const;
    const query = solvedQuery(new Scope(1, null), {
      jobInstanceUid: '00000000-0000-8000-8000-000000000000',
      startedAt: TEST_NOW.toISOString(),
      cause,
    });
    const plan = await transaction(portal.database, async (connection) => {
      await connection.query('set local enable_seqscan = off; set local enable_bitmapscan = off');
      return rows<{ 'QUERY PLAN': string }>(connection, sql`explain ${query}`);
    });
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Scan using faults_solved');
    expect(text).not.toMatch(/Sort/);
  });
});
