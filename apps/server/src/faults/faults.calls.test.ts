import { editJobExecutions, getJobExecution } from '@keepwatch/contract/executions/job-executions';
import { editFaults, type FaultFilter, getFault, listCauses, listFaults } from '@keepwatch/contract/faults/faults';
import type { FaultState } from '@keepwatch/contract/faults/values';
import { openFault } from '@keepwatch/contract/faults/viewers';
import type { Anomaly, Result } from '@keepwatch/contract/runs/values';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { type BuiltJob, buildCompany, buildExecution, buildJob, buildSource } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const MISSING = '00000000-0000-8000-8000-000000000000';
const SILENT = 'The backup server vbr-03 does not answer.';
let portal: TestPortal;
let operator: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
beforeEach(() => portal.database.query('truncate job_executions, faults, job_ignores, jobs, audit_entries'));
afterAll(() => portal.stop());

interface GivenRun {
  day: number;
  result?: Result;
  message?: string;
  anomalies?: readonly Anomaly[];
}

/** A job on the server vbr-03 with runs. */
async function build(name: string, runs: readonly GivenRun[], given: Partial<BuiltJob> = {}): Promise<BuiltJob> {
  const job = await buildJob(portal.database, { name, ...given });
  await execute(
    portal.database,
    sql`update jobs set server_name = 'vbr-03' where job_instance_uid = ${job.jobInstanceUid}`,
  );
  for (const { day, ...run } of runs)
    await buildExecution(portal.database, job, {
      startedAt: daysAgo(day),
      ...(run.anomalies && { state: 'pending' }),
      ...run,
    });
  await refreshFaults(portal.database, job.providerId, [wholeSpan(job.jobInstanceUid)]);
  return job;
}

const list = async (filter: FaultFilter = {}) =>
  (await operator.call(listFaults, { query: { limit: 50, filter } })).data;
const names = async (filter: FaultFilter = {}) => (await list(filter)).map(({ jobName }) => jobName);
const idOf = async (name: string) => (await list({ search: name }))[0]?._id ?? '';
const resolve = (ids: string[]) => operator.call(editFaults, { body: { ids, change: { state: 'resolved' } } });
const entries = () => rows(portal.database, sql`select action from audit_entries where action like 'fault.%'`);

describe('GET monitoring/reporting/faults', () => {
  it('200: one row a fault, what failed first and what is healed last', async () => {
    await build('Warned', [{ day: 1, result: 'Warning' }]);
    await build('Odd', [{ day: 1, result: 'Success', anomalies: ['duration'] }]);
    await build('Missed', [{ day: 1, result: 'DidntRun' }]);
    await build('Failed', [{ day: 9 }, { day: 5 }, { day: 4, result: 'Warning' }, { day: 3 }]);
    await build('Failed again', [{ day: 1 }]);
    await build('Healed', [{ day: 1.5 }, { day: 1, result: 'Success' }]);
    await build('Healed long ago', [{ day: 9 }, { day: 8, result: 'Success' }]);
    await build('Fine', [{ day: 1, result: 'Success' }]);
    expect(await names()).toEqual(['Failed again', 'Failed', 'Missed', 'Odd', 'Warned', 'Healed']);
    expect((await list({ search: 'Healed' }))[0]).toMatchObject({ state: 'healed', daysWithoutFine: 0 });
    const page = await operator.call(listFaults, { query: { limit: 2, offset: 1 } });
    expect([page.count, page.data.map(({ jobName }) => jobName)]).toEqual([6, ['Failed', 'Missed']]);
  });

  it('200: what healed within the last days, however long ago the job failed for the last time', async () => {
    await build('Weekday', [{ day: 2.5 }, { day: 0.05, result: 'Success' }]);
    await build('Healed before', [{ day: 3 }, { day: 2.5, result: 'Success' }]);
    expect(await names()).toEqual(['Weekday']);
    expect(await names({ state: ['healed'] })).toEqual(['Weekday']);
    const body = { of: { filter: { state: ['healed' as const] } }, change: { state: 'resolved' as const } };
    expect(await operator.call(editFaults, { body })).toMatchObject({ changed: 1 });
  });

  it('200: those that began since a time, and those that healed since then, however long ago they failed', async () => {
    await build('Old', [{ day: 9 }, { day: 0.5 }]);
    await build('New', [{ day: 9, result: 'Success' }, { day: 0.5 }]);
    await build('Healed early', [{ day: 9 }, { day: 8, result: 'Success' }]);
    await build('Healed now', [{ day: 9 }, { day: 0.5, result: 'Success' }]);
    const since = daysAgo(1).toISOString();
    expect(await names({ openedFrom: since })).toEqual(['New']);
    expect(await names({ closedFrom: since, state: ['healed'] })).toEqual(['Healed now']);
    const range = { from: daysAgo(8.5).toISOString(), to: daysAgo(7).toISOString() };
    const query = { limit: 50, filter: { state: 'healed' as const }, ...range };
    const { data } = await operator.call(listFaults, { query });
    expect(data.map(({ jobName }) => jobName)).toEqual(['Healed early']);
  });

  it('200: says what is needed to work on it', async () => {
    const job = await build('Nightly', [
      { day: 9, result: 'Success' },
      { day: 8, result: 'Running' },
      { day: 7 },
      { day: 6, result: 'Success', anomalies: ['no-restore-point'] },
      { day: 5, message: SILENT },
    ]);
    const [fault] = await list();
    expect(fault).toMatchObject({
      jobInstanceUid: job.jobInstanceUid,
      kind: 'failed',
      state: 'pending',
      runs: 3,
      openedAt: daysAgo(7).toISOString(),
      lastStartedAt: daysAgo(5).toISOString(),
      fineAt: daysAgo(9).toISOString(),
      daysWithoutFine: 9,
      closedAt: null,
      message: SILENT,
      lastResults: 'SRFsF',
      serverName: 'vbr-03',
      cause: { why: 'server', subject: 'vbr-03', jobs: 1, companies: 1 },
    });
    await build('Odd', [{ day: 1, result: 'Success', anomalies: ['no-restore-point'] }]);
    expect((await list({ search: 'Odd' }))[0]?.anomalyTexts).toEqual(['ended well but made no new restore point']);
  });

  it('200: counts who shares the cause, also those on other pages', async () => {
    const sourceId = await buildSource(portal.database);
    for (let number = 0; number < 4; number += 1) {
      const companyId = number < 2 ? await buildCompany(portal.database) : null;
      await build(`Job ${number}`, [{ day: 1, message: SILENT }], { sourceId, companyId });
    }
    const { data } = await operator.call(listFaults, { query: { limit: 1 } });
    expect(data[0]?.cause).toMatchObject({ jobs: 4, companies: 2 });
  });

  it('200: filters by state, kind, cause, company, text and range', async () => {
    const job = await build('One', [{ day: 1, message: SILENT }]);
    await build('Two', [{ day: 1, result: 'Warning', message: 'Free' }]);
    await build('Old', [{ day: 20, result: 'Warning' }]);
    await resolve([await idOf('Two')]);
    expect(await names()).toEqual(['One', 'Old']);
    expect(await names({ state: ['resolved'] })).toEqual(['Two']);
    expect(await names({ state: ['resolved', 'pending'], kind: ['warning'] })).toEqual(['Two', 'Old']);
    expect(await names({ companyIds: [job.companyId ?? ''] })).toEqual(['One']);
    expect(await names({ search: 'does not ANSWER' })).toEqual(['One']);
    const [fault] = await list({ search: 'One' });
    expect(await names({ cause: fault?.cause.key ?? '' })).toEqual(['One']);
    const range = { from: daysAgo(2).toISOString(), to: TEST_NOW.toISOString() };
    expect((await operator.call(listFaults, { query: { ...range, limit: 50 } })).count).toBe(1);
  });

  it('200: orders by how long a job is without a good restore point, what is healed last', async () => {
    await build('Ten', [
      { day: 10, result: 'Success' },
      { day: 1, result: 'Warning' },
    ]);
    await build('Twenty', [
      { day: 20, result: 'Success' },
      { day: 3, result: 'Warning' },
    ]);
    await build('Never', [{ day: 15 }, { day: 1 }]);
    await build('Healed', [{ day: 30, result: 'Success' }, { day: 1.5 }, { day: 1, result: 'Success' }]);
    const sorted = async (sort: 'fineAt' | '-fineAt') => {
      const { data } = await operator.call(listFaults, { query: { limit: 50, sort } });
      const causes = await operator.call(listCauses, { query: { limit: 50, sort } });
      expect(causes.data.map(({ fault }) => fault.jobName)).toEqual(data.map(({ jobName }) => jobName));
      return data.map(({ jobName, daysWithoutFine }) => `${jobName} ${daysWithoutFine}`);
    };
    expect(await sorted('fineAt')).toEqual(['Twenty 20', 'Never null', 'Ten 10', 'Healed 0']);
    expect(await sorted('-fineAt')).toEqual(['Ten 10', 'Never null', 'Twenty 20', 'Healed 0']);
  });

  it('200: lists none of other companies to who is limited to some', async () => {
    const job = await build('Own', [{ day: 1, message: SILENT }]);
    await build('Other', [{ day: 1, message: SILENT }], { sourceId: job.sourceId });
    const limited = await portal.as('operator', { companyIds: [job.companyId ?? ''] });
    const { data } = await limited.call(listFaults, { query: { limit: 50 } });
    expect(data).toMatchObject([{ jobName: 'Own', cause: { jobs: 1, companies: 1 } }]);
  });
});

describe('GET monitoring/reporting/causes', () => {
  it('200: one line a cause with what it counts', async () => {
    const sourceId = await buildSource(portal.database);
    await build(
      'A',
      [
        { day: 2, message: 'Cannot reach host vbr-03: refused.' },
        { day: 1, message: SILENT },
      ],
      { sourceId },
    );
    await build('B', [{ day: 3, message: SILENT }], { sourceId });
    await build(
      'C',
      [
        { day: 1.5, message: SILENT },
        { day: 1, result: 'Success' },
      ],
      { sourceId },
    );
    await build('D', [{ day: 1, result: 'Warning', message: 'Disk 5 is old.' }]);
    await build('E', [{ day: 1, result: 'Warning', message: 'Disk 7 is old.' }]);
    const { count, data } = await operator.call(listCauses, { query: { limit: 50 } });
    expect(count).toBe(2);
    expect(data).toMatchObject([
      {
        why: 'server',
        subject: 'vbr-03',
        kind: 'failed',
        faults: 3,
        healed: 1,
        jobs: 3,
        companies: 3,
        runs: 4,
        fault: { jobName: 'A', message: SILENT, runs: 2, lastResults: 'FF', cause: { jobs: 2, companies: 2 } },
      },
      {
        why: 'message',
        subject: 'Disk … is old.',
        kind: 'warning',
        faults: 2,
        healed: 0,
        jobs: 2,
        companies: 2,
        runs: 2,
      },
    ]);
  });
});

describe('GET monitoring/backoffice/faults/{id}', () => {
  it('200: its runs, newest first, and their notes', async () => {
    await build('Nightly', [
      { day: 4, result: 'Success' },
      { day: 3 },
      { day: 2, result: 'Running' },
      { day: 1, result: 'Warning' },
    ]);
    const id = await idOf('Nightly');
    await operator.call(editFaults, { body: { ids: [id], change: { note: { content: 'Disk ordered' } } } });
    const { data } = await operator.call(getFault, { params: { id } });
    expect(data.lastRuns.map(({ result }) => result)).toEqual(['Warning', 'Failed']);
    expect(data.notes).toMatchObject([{ content: 'Disk ordered', by: operator.username, isOwn: true }]);
    expect(data).toMatchObject({ _id: id, note: 'Disk ordered', state: 'pending' });
  });

  it('404: none outside the scope of the caller', async () => {
    const job = await build('Nightly', [{ day: 1 }]);
    const id = await idOf('Nightly');
    const other = await portal.as('operator', { companyIds: [await buildCompany(portal.database)] });
    for (const [caller, one] of [
      [operator, MISSING],
      [other, id],
    ] as const)
      expect((await caller.send(getFault, { params: { id: one } })).status).toBe(404);
    const reply = await other.call(editFaults, { body: { ids: [id], change: { state: 'resolved' } } });
    expect(reply).toMatchObject({ changed: 0, notFound: [id] });
    expect(await names({ jobInstanceUids: [job.jobInstanceUid], state: ['pending'] })).toEqual(['Nightly']);
  });
});

describe('POST monitoring/backoffice/faults/bulk', () => {
  it('200: resolves all runs of a fault, adds the note to the last one, and says how to undo it', async () => {
    await build('Nightly', [{ day: 3 }, { day: 2 }, { day: 1 }]);
    const [fault] = await list();
    const change = { state: 'resolved', note: { content: 'Disk replaced' } } as const;
    const reply = await operator.call(editFaults, { body: { ids: [fault?._id ?? '', MISSING], change } });
    expect(reply).toMatchObject({ changed: 1, unchanged: 0, notFound: [MISSING], noteId: expect.any(String) });
    const untouched = { state: 'pending', ignoredUntil: null, changedById: null, changedAt: null };
    const ids = [expect.any(String), expect.any(String), expect.any(String)];
    expect(reply.before).toEqual([{ ids, spans: [], ...untouched }]);
    expect(await list()).toEqual([]);
    expect(await list({ state: ['resolved'] })).toMatchObject([
      { changedBy: operator.username, note: 'Disk replaced' },
    ]);
    const last = await operator.call(getJobExecution, { params: { id: fault?.lastExecutionId ?? '' } });
    expect(last.data).toMatchObject({ state: 'resolved', note: 'Disk replaced' });
    expect(await entries()).toHaveLength(1);
  });

  it('200: counts two resolves at once as one, and a repetition as none', async () => {
    await build('A', [{ day: 2 }, { day: 1 }]);
    await build('B', [{ day: 1 }]);
    const ids = (await list()).map(({ _id }) => _id);
    const replies = await Promise.all(Array.from({ length: 6 }, () => resolve(ids)));
    expect(replies.reduce((sum, { changed }) => sum + changed, 0)).toBe(2);
    expect(await resolve(ids)).toMatchObject({
      changed: 0,
      unchanged: 2,
      unchangedIds: ids.toSorted(),
      before: [],
      noteId: null,
    });
    expect(await entries()).toHaveLength(1);
  });

  const undo = async (caller: Caller, { madeAt, before }: Awaited<ReturnType<typeof resolve>>) => {
    const replies: CallReply<typeof editJobExecutions>[] = [];
    for (const { ids, spans, state, ignoredUntil, changedById, changedAt } of before) {
      const change = { state, ...(ignoredUntil === null ? {} : { ignoredUntil }) };
      const undoes = { madeAt, changedById, changedAt, ofFaults: true };
      const sent = spans.map(({ runs, ...span }) => span);
      for (const which of [
        ...(ids.length > 0 ? [{ ids }] : []),
        ...(sent.length > 0 ? [{ ids: [], spans: sent }] : []),
      ])
        replies.push(await caller.call(editJobExecutions, { body: { ...which, change, undoes } }));
    }
    return replies;
  };
  const statesOf = async ({ jobInstanceUid }: BuiltJob) => {
    const query = sql`select state from job_executions where job_instance_uid = ${jobInstanceUid} order by started_at`;
    return (await rows<{ state: string }>(portal.database, query)).map(({ state }) => state);
  };

  it('200: names many runs of a fault by the first and the last, and undoes them by that', async () => {
    const job = await build(
      'Hourly',
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((hour) => ({ day: hour / 24 })),
    );
    const [fault] = await list();
    const { lastRuns } = (await operator.call(getFault, { params: { id: fault?._id ?? '' } })).data;
    const ben = await portal.as('operator');
    // In the middle of the fault, so that there are five runs before it and six after it.
    const bens = [lastRuns.at(-6)?._id ?? ''];
    await ben.call(editJobExecutions, { body: { ids: bens, change: { state: 'in-progress' } } });
    const before = await statesOf(job);
    const resolved = await resolve([fault?._id ?? '']);
    expect(resolved.before).toMatchObject([
      { state: 'pending', ids: [], spans: [{ runs: 5 }, { runs: 6 }] },
      { state: 'in-progress', ids: bens, spans: [], changedById: ben.userId },
    ]);
    expect((await undo(operator, resolved)).map(({ updated }) => updated)).toEqual([11, 1]);
    expect(await statesOf(job)).toEqual(before);
    expect((await undo(operator, resolved)).map(({ updated }) => updated)).toEqual([0, 0]);
  });

  it('200: no undo by spans reaches a company outside the scope of the caller', async () => {
    const job = await build(
      'Hourly',
      [6, 5, 4, 3, 2, 1].map((hour) => ({ day: hour / 24 })),
    );
    const resolved = await resolve((await list()).map(({ _id }) => _id));
    const limited = await portal.as('operator', { companyIds: [await buildCompany(portal.database)] });
    expect((await undo(limited, resolved)).map(({ updated }) => updated)).toEqual([0]);
    expect(new Set(await statesOf(job))).toEqual(new Set(['resolved']));
  });

  it('200: its undo gives the fault back to the colleague who was on it', async () => {
    await build('Nightly', [{ day: 2 }, { day: 1 }]);
    const ids = (await list()).map(({ _id }) => _id);
    const ben = await portal.as('operator');
    await ben.call(editFaults, { body: { ids, change: { state: 'in-progress' } } });
    await undo(operator, await resolve(ids));
    expect(await list()).toMatchObject([{ state: 'in-progress', changedBy: ben.username }]);
  });

  it('200: its undo leaves a fault that a colleague has ignored since, with all of its runs', async () => {
    const job = await build('Nightly', [{ day: 2 }, { day: 1 }]);
    const ids = (await list()).map(({ _id }) => _id);
    const resolved = await resolve(ids);
    const ben = await portal.as('operator');
    portal.clock.now = new Date(TEST_NOW.getTime() + 60_000);
    const ignoredUntil = new Date(TEST_NOW.getTime() + 9 * 86_400_000).toISOString();
    await ben.call(editFaults, { body: { ids, change: { state: 'ignored', ignoredUntil } } });
    await undo(operator, resolved);
    portal.clock.now = TEST_NOW;
    expect(await list({ state: ['ignored'] })).toMatchObject([{ ignoredUntil, changedBy: ben.username }]);
    expect(await statesOf(job)).toEqual(['resolved', 'ignored']);
  });

  it('200: changes all faults of a cause within the filters', async () => {
    const sourceId = await buildSource(portal.database);
    const job = await build('Job A', [{ day: 1, message: SILENT }], { sourceId });
    await build('Job B', [{ day: 9, message: SILENT }], { sourceId });
    await build('Job C', [{ day: 1, message: 'Disk full' }], { sourceId });
    const cause = (await list({ search: 'Job A' }))[0]?.cause.key ?? '';
    const of = (filter: FaultFilter) => ({ cause, filter });
    const change = { state: 'in-progress' } as const;
    const own = of({ companyIds: [job.companyId ?? ''] });
    expect(await operator.call(editFaults, { body: { of: own, change } })).toMatchObject({ changed: 1 });
    expect(await operator.call(editFaults, { body: { of: of({}), change } })).toMatchObject({
      changed: 1,
      unchanged: 1,
    });
    expect(await names({ state: ['in-progress'] })).toEqual(['Job A', 'Job B']);
    const colleague = await portal.as('operator');
    expect(await colleague.call(editFaults, { body: { of: of({}), change } })).toMatchObject({ changed: 2 });
    expect(await list({ state: ['in-progress'] })).toMatchObject([
      { changedBy: colleague.username },
      { changedBy: colleague.username },
    ]);
  });

  it('200: changes of a cause what was seen of it, without what others have open or in progress', async () => {
    const sourceId = await buildSource(portal.database);
    const days = { Seen: 3, 'Of a colleague': 3, 'Open to a colleague': 3, 'Failed again': 1, Own: 3 };
    for (const [name, day] of Object.entries(days)) await build(name, [{ day, message: SILENT }], { sourceId });
    const colleague = await portal.as('operator');
    const mark = async (caller: Caller, name: string) =>
      caller.call(editFaults, { body: { ids: [await idOf(name)], change: { state: 'in-progress' } } });
    await mark(colleague, 'Of a colleague');
    await mark(operator, 'Own');
    await colleague.call(openFault, { params: { id: await idOf('Open to a colleague') } });
    const cause = (await list({ search: 'Seen' }))[0]?.cause.key ?? '';
    const of = { cause, filter: { lastStartedUntil: daysAgo(2).toISOString() }, withoutOthers: true };
    const reply = await operator.call(editFaults, { body: { of, change: { state: 'resolved' } } });
    expect(reply).toMatchObject({ changed: 2, unchanged: 0, unchangedIds: [] });
    expect(reply.ofOthers).toEqual([{ username: colleague.username, faults: 2 }]);
    expect((await names()).sort()).toEqual(['Failed again', 'Of a colleague', 'Open to a colleague']);
    expect(await names({ lastStartedUntil: daysAgo(2).toISOString(), search: 'colleague' })).toHaveLength(2);
  });

  it('200: opens a fault that was ignored without an end when its job fails again', async () => {
    const job = await build('Nightly', [{ day: 2 }]);
    await operator.call(editFaults, { body: { ids: [await idOf('Nightly')], change: { state: 'ignored' } } });
    expect(await list()).toEqual([]);
    await buildExecution(portal.database, job, { startedAt: daysAgo(1) });
    await refreshFaults(portal.database, job.providerId, [wholeSpan(job.jobInstanceUid)]);
    expect(await list()).toMatchObject([{ jobName: 'Nightly', state: 'pending', runs: 2 }]);
  });

  it('200: resolves all that is healed, and nothing else', async () => {
    await build('Healed', [{ day: 1.5 }, { day: 1, result: 'Success' }]);
    await build('Healed too', [{ day: 1.4 }, { day: 1, result: 'Success' }]);
    await build('Failed', [{ day: 1 }]);
    const state: FaultState[] = ['healed'];
    const body = { of: { filter: { state } }, change: { state: 'resolved' as const } };
    expect(await operator.call(editFaults, { body })).toMatchObject({ changed: 2, unchanged: 0 });
    expect(await names()).toEqual(['Failed']);
    expect(await operator.call(editFaults, { body })).toMatchObject({ changed: 0, unchanged: 0 });
  });

  it('200: says which runs got the note, so that it can be undone', async () => {
    await build('Nightly', [{ day: 2 }, { day: 1 }]);
    const [fault] = await list();
    const body = { ids: [fault?._id ?? ''], change: { note: { content: 'Disk ordered' } } };
    expect(await operator.call(editFaults, { body })).toMatchObject({
      changed: 1,
      before: [],
      notedIds: [fault?.lastExecutionId],
    });
  });

  it('200: takes messages of 100 kB in every script, and finds them by their words', async () => {
    const scripts = ['Резервное', '备份失败', 'نسخة احتياطية', 'बैकअप', '🧯', 'e\u0301'];
    for (const [place, word] of scripts.entries())
      await build(`Job ${place}`, [{ day: 1, message: `${word} `.repeat(100_000 / word.length) }]);
    expect((await list()).length).toBe(scripts.length);
    expect(await names({ search: 'احتياطية' })).toEqual(['Job 2']);
    const { data } = await operator.call(getFault, { params: { id: await idOf('Job 0') } });
    expect(data.lastRuns[0]?.message).toContain('Резервное');
  });

  it('200: leaves out a fault that is gone meanwhile', async () => {
    const job = await build('Deleted', [{ day: 1 }]);
    await build('There', [{ day: 1 }]);
    const ids = (await list()).map(({ _id }) => _id);
    const gone = await idOf('Deleted');
    await execute(portal.database, sql`delete from job_executions where job_instance_uid = ${job.jobInstanceUid}`);
    await refreshFaults(portal.database, job.providerId, [wholeSpan(job.jobInstanceUid)]);
    expect(await resolve(ids)).toMatchObject({ changed: 1, notFound: [gone] });
  });

  it('200: resolves what is healed, and opens again what was resolved', async () => {
    await build('Healed', [{ day: 1.5 }, { day: 1, result: 'Success' }]);
    const [fault] = await list({ state: ['healed'] });
    await resolve([fault?._id ?? '']);
    expect(await list({ state: ['healed'] })).toEqual([]);
    const change = { state: 'pending' } as const;
    await operator.call(editFaults, { body: { ids: [fault?._id ?? ''], change } });
    expect(await list({ state: ['healed'] })).toHaveLength(1);
  });

  it('422: refuses both ids and a cause, neither, an empty change and an end in the past', async () => {
    const change = { state: 'resolved' } as const;
    const past = { state: 'ignored', ignoredUntil: daysAgo(1).toISOString() } as const;
    for (const body of [
      { change },
      { of: { filter: {} }, change },
      { ids: [MISSING], of: { cause: 'x', filter: {} }, change },
      { ids: [MISSING], change: {} },
      { ids: [MISSING], change: past },
    ])
      expect((await operator.send(editFaults, { body })).status).toBe(422);
  });
});
