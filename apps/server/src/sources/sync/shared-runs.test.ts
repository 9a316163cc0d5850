import { listCompanies } from '@keepwatch/contract/companies/companies';
import {
  assignJobExecutions,
  editJobExecution,
  getJobExecution,
  listJobExecutions,
} from '@keepwatch/contract/executions/job-executions';
import { getSpreadsheetReport, getSpreadsheetStats, listJobNames } from '@keepwatch/contract/insights/calendar';
import { getOverviewStats } from '@keepwatch/contract/insights/insights';
import { getLastSync, listSources, listUnmatchedRuns } from '@keepwatch/contract/sources/sources';
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tries } from '../../../../../tools/soak.ts';
import { execute, row, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { rollupsAndRecount } from '../../ingest/recount.fixture.ts';
import { buildCompany } from '../../testing/builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import {
  connectWrittenSource,
  manifestOf,
  servicesOf,
  type WrittenSource,
  writtenExecution,
  writtenJob,
} from '../intake.fixture.ts';
import {
  failuresEverywhere,
  hoursAgo,
  namedRun,
  pendingEverywhere,
  type StoredRun,
  storedRuns,
} from './shared-runs.fixture.ts';
import { syncSource } from './sync.ts';

const SHARED_NAME = 'Server Protection (one of 3 with this name)';
const WEEK = { from: hoursAgo(7 * 24).toISOString(), to: TEST_NOW.toISOString() };

let portal: TestPortal;
let source: WrittenSource;
let sourceId: string;
let operator: Caller;
let admin: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(async () => {
  await portal.database.query(
    'truncate sources, sync_runs, companies, jobs, job_executions, job_execution_logs, job_days, company_days, provider_days, unmatched_runs, audit_entries, notifications cascade',
  );
  ({ source, sourceId } = await connectWrittenSource(portal));
  source.jobs = ['a', 'b', 'c'].map((externalId) => protectionJob(externalId));
  operator = await portal.as('operator');
  admin = await portal.as('admin');
});

function protectionJob(externalId: string, name = 'Server Protection') {
  return writtenJob({ externalId, name, serverName: `SRV-${externalId}`, intervalMs: null, scheduleType: null });
}

async function sync(): Promise<void> {
  const services = servicesOf(portal, async () => manifestOf(source));
  await syncSource(services, { sourceId, isRequested: false }, new AbortController().signal);
}

function later(minutes: number): void {
  portal.clock.now = new Date(portal.clock.now.getTime() + minutes * 60_000);
}

/** Returns the job of each run: its external id, or `shared`. */
async function places(): Promise<string[]> {
  return (await storedRuns(portal.database)).map((run) => `${run.message}: ${run.job}`);
}

async function jobId(externalId: string): Promise<string> {
  const found = await row<{ id: string }>(
    portal.database,
    sql`select job_instance_uid as id from jobs where external_id = ${externalId}`,
  );
  return found?.id ?? '';
}

async function runOf(message: string): Promise<StoredRun> {
  const found = (await storedRuns(portal.database)).find((run) => run.message === message);
  if (found === undefined) throw new Error(`There is no run "${message}".`);
  return found;
}

async function assign(messages: readonly string[], externalId: string, caller = operator) {
  const ids = await Promise.all(messages.map(async (message) => (await runOf(message)).id));
  return caller.send(assignJobExecutions, { body: { ids, jobInstanceUid: await jobId(externalId) } });
}

async function expectRollupsToAgree(): Promise<void> {
  const { stored, counted } = await rollupsAndRecount(portal.database);
  expect(stored).toEqual(counted);
}

describe('runs of a shared job', () => {
  it('are listed under the name, with the number of jobs that have it', async () => {
    source.executions = [namedRun('1', hoursAgo(5))];
    await sync();
    const { data, count } = await operator.call(listJobExecutions, { query: {} });
    expect(count).toBe(1);
    expect(data).toMatchObject([
      {
        jobName: SHARED_NAME,
        sharedBy: 3,
        companyName: 'Acme',
        result: 'Failed',
        state: 'pending',
        message: 'Run 1 failed',
      },
    ]);
    expect(data[0]).toMatchObject({ durationMs: 600_000, transferredBytes: null });
  });

  it('are found by job name, and by the filter for unassigned runs', async () => {
    source.executions = [namedRun('1', hoursAgo(5)), writtenExecution('a', hoursAgo(9), { result: 'Failed' })];
    await sync();
    const countOf = async (filter: object) =>
      (await operator.call(listJobExecutions, { query: { filter: { state: 'all', ...filter } } })).count;
    expect(await countOf({})).toBe(2);
    expect(await countOf({ unassigned: true })).toBe(1);
    expect(await countOf({ search: 'server protection', unassigned: true })).toBe(1);
    const names = await operator.call(listJobNames, { query: { search: 'Protection' } });
    expect(names.data.map(({ jobName }) => jobName)).toContain(SHARED_NAME);
  });

  it('are all stored when the jobs start at the same time, and none is a retry of another', async () => {
    const start = hoursAgo(5);
    const soonAfter = new Date(start.getTime() + 12 * 60_000);
    source.executions = [namedRun('1', start), namedRun('2', start), namedRun('3', start), namedRun('4', soonAfter)];
    await sync();
    expect(await places()).toEqual([1, 2, 3, 4].map((id) => `Run ${id} failed: shared`));
    await expectRollupsToAgree();
  });

  it('are counted in every figure alike', async () => {
    const at = [5, 29, 53, 77];
    source.executions = [
      ...at.map((hours) => namedRun(`${hours}`, hoursAgo(hours))),
      writtenExecution('a', hoursAgo(100), { result: 'Failed' }),
      namedRun('fine', hoursAgo(6), { result: 'Success', message: null }),
    ];
    await sync();
    expect(await failuresEverywhere(operator)).toEqual({ list: 5, csv: 5, history: 5, ranking: 5, failedDays: 5 });
    expect(await pendingEverywhere(operator, admin)).toEqual({ list: 5, dashboard: 5, companies: 5 });
    await expectRollupsToAgree();
  });

  it('are not a job in counts of jobs, jobs that never ran and the list of consoles', async () => {
    const fine = { result: 'Success', message: null } as const;
    source.executions = [namedRun('1', hoursAgo(5)), namedRun('fine', hoursAgo(29), fine)];
    await sync();
    const overview = await operator.call(getOverviewStats, { query: WEEK });
    expect(overview.data).toMatchObject({ jobs: 3, neverRan: 3, failed: 0 });
    expect((await admin.call(listCompanies, { query: {} })).data).toMatchObject([{ jobs: 3, failed: 0 }]);
    expect((await admin.call(listSources, {})).data).toMatchObject([{ jobs: 3, unmatchedRuns: 0 }]);
    const calendar = await operator.call(getSpreadsheetStats, { query: WEEK });
    expect(calendar.data).toMatchObject({ jobs: 3, succeeded: 0 });
    const latest = { filter: { state: 'all', latest: true } } as const;
    expect((await operator.call(listJobExecutions, { query: latest })).count).toBe(0);
  });

  it('are never expected, so that none is missed', async () => {
    source.executions = Array.from({ length: 20 }, (_, day) => namedRun(`${day}`, hoursAgo(24 * (day + 5))));
    await sync();
    const due = await rows(
      portal.database,
      sql`select expected_at, overdue_at, last_result from jobs where shared_by is not null`,
    );
    expect(due).toEqual([{ expected_at: null, overdue_at: null, last_result: null }]);
    expect(await rows(portal.database, sql`select from job_executions where result = 'DidntRun'`)).toHaveLength(0);
  });

  it('have a row in the calendar, and mark the empty days of the candidates', async () => {
    source.executions = [
      namedRun('1', hoursAgo(29)),
      writtenExecution('a', hoursAgo(30)),
      writtenExecution('b', hoursAgo(53)),
    ];
    await sync();
    const { data, count } = await operator.call(getSpreadsheetReport, { query: WEEK });
    expect(count).toBe(4);
    const shared = data.find((job) => job.sharedBy !== null);
    expect(shared).toMatchObject({ jobName: SHARED_NAME, sharedBy: 3, sharedJob: null, cells: '------F-' });
    const cellsOf = async (externalId: string) => {
      const uid = await jobId(externalId);
      return data.find((job) => job.jobInstanceUid === uid);
    };
    expect(await cellsOf('a')).toMatchObject({ cells: '------S-', sharedJob: shared?.jobInstanceUid });
    expect(await cellsOf('b')).toMatchObject({ cells: '-----S?-', sharedJob: shared?.jobInstanceUid });
  });

  it('can be edited like all others', async () => {
    source.executions = [namedRun('1', hoursAgo(5))];
    await sync();
    const { id } = await runOf('Run 1 failed');
    const edit = (body: object) => operator.call(editJobExecution, { params: { id }, body });
    expect((await edit({ note: { content: 'Called' } })).data).toMatchObject({ note: 'Called', state: 'pending' });
    expect((await edit({ state: 'ignored' })).data).toMatchObject({ state: 'ignored' });
    expect((await edit({ state: 'resolved' })).data).toMatchObject({ state: 'resolved', jobName: SHARED_NAME });
  });
});

describe('reading the history again', () => {
  it('does not add stored runs', async () => {
    source.executions = [namedRun('1', hoursAgo(5)), namedRun('2', hoursAgo(5))];
    await sync();
    const before = await storedRuns(portal.database);
    expect(before).toHaveLength(2);
    await forgetHistory();
    await sync();
    expect(await storedRuns(portal.database)).toEqual(before);
    await expectRollupsToAgree();
  });

  it('does not add a run that is stored as the last run of a candidate', async () => {
    const start = hoursAgo(5);
    source.executions = [
      writtenExecution('a', start, { origin: 'last-run', result: 'Failed', message: 'Run 1 failed' }),
    ];
    await sync();
    later(60);
    source.executions = [
      namedRun('1', new Date(start.getTime() + 20_000)),
      namedRun('2', start, { result: 'Warning' }),
    ];
    await forgetHistory();
    await sync();
    expect(await places()).toEqual(['Run 1 failed: a', 'Run 2 failed: shared']);
  });

  it('moves a run, with users’ changes, to the job that later shows it as its last one', async () => {
    source.executions = [namedRun('1', hoursAgo(5)), namedRun('2', hoursAgo(5))];
    await sync();
    const params = { id: (await runOf('Run 1 failed')).id };
    await operator.call(editJobExecution, { params, body: { state: 'resolved', note: { content: 'Done' } } });
    later(5);
    source.executions = [
      writtenExecution('a', hoursAgo(5), { origin: 'last-run', result: 'Failed', message: 'Run 1 failed' }),
      writtenExecution('b', hoursAgo(5), { origin: 'last-run', result: 'Failed', message: 'Run 2 failed' }),
    ];
    await forgetHistory();
    await sync();
    expect((await places()).toSorted()).toEqual(['Run 1 failed: a', 'Run 2 failed: b']);
    const all = await operator.call(listJobExecutions, { query: { filter: { state: 'resolved' } } });
    expect(all.data).toMatchObject([{ state: 'resolved', note: 'Done', sharedBy: null }]);
    await expectRollupsToAgree();
  });

  it('ends a running run of a candidate', async () => {
    source.executions = [
      writtenExecution('a', hoursAgo(5), { origin: 'last-run', result: 'Running', endedAt: null, durationMs: null }),
    ];
    await sync();
    source.executions = [namedRun('1', hoursAgo(5))];
    await forgetHistory();
    later(5);
    await sync();
    expect(await places()).toEqual(['Run 1 failed: a']);
  });
});

/** Makes the next sync read the whole history. */
async function forgetHistory(): Promise<void> {
  await execute(portal.database, sql`update sources set history_read_to = null`);
  await execute(portal.database, sql`delete from sync_runs`);
}

describe('the candidates', () => {
  it('are counted again with every sync', async () => {
    source.executions = [namedRun('1', hoursAgo(5))];
    await sync();
    source.jobs = ['a', 'b', 'c', 'd'].map((externalId) => protectionJob(externalId));
    later(5);
    await sync();
    const nameOf = async () => (await operator.call(listJobExecutions, { query: {} })).data.map((run) => run.jobName);
    expect(await nameOf()).toEqual(['Server Protection (one of 4 with this name)']);
    source.jobs = ['a', 'b'].map((externalId) => protectionJob(externalId));
    later(5);
    await sync();
    expect(await nameOf()).toEqual(['Server Protection (one of 2 with this name)']);
    const detail = await operator.call(getJobExecution, { params: { id: (await runOf('Run 1 failed')).id } });
    expect(detail.data.candidates.map(({ serverName }) => serverName)).toEqual(['SRV-a', 'SRV-b']);
  });

  it('leave their runs, as doubtful and with users’ changes, to the only one that is left', async () => {
    source.executions = [namedRun('1', hoursAgo(5)), namedRun('2', hoursAgo(29))];
    await sync();
    const params = { id: (await runOf('Run 2 failed')).id };
    await operator.call(editJobExecution, { params, body: { state: 'resolved', note: { content: 'Done' } } });
    source.jobs = [protectionJob('a'), protectionJob('b', 'Renamed'), protectionJob('c', 'Renamed too')];
    source.executions = [];
    later(5);
    await sync();
    expect(await places()).toEqual(['Run 2 failed: a', 'Run 1 failed: a']);
    const listed = await operator.call(listJobExecutions, { query: { filter: { state: 'all' } } });
    expect(listed.data).toMatchObject([
      { jobName: 'Server Protection', match: 'doubtful', state: 'pending', note: null },
      { jobName: 'Server Protection', match: 'doubtful', state: 'resolved', note: 'Done' },
    ]);
    expect(
      await rows(portal.database, sql`select from jobs where shared_by is not null or shared_job is not null`),
    ).toEqual([]);
    await expectRollupsToAgree();
  });

  it('remain candidates while they cannot be read', async () => {
    source.executions = [namedRun('1', hoursAgo(5))];
    await sync();
    source.failures = { 'managed-servers': new Error('not now') };
    source.jobs = [];
    later(5);
    await sync();
    expect(await places()).toEqual(['Run 1 failed: shared']);
  });
});

describe('assigning', () => {
  beforeEach(async () => {
    source.executions = [namedRun('1', hoursAgo(5)), namedRun('2', hoursAgo(29)), namedRun('3', hoursAgo(29))];
    await sync();
  });

  it('offers the candidates with the fields that distinguish them', async () => {
    const { data } = await operator.call(getJobExecution, { params: { id: (await runOf('Run 1 failed')).id } });
    expect(data.candidates).toEqual(
      ['a', 'b', 'c'].map((letter) => ({
        jobInstanceUid: expect.any(String),
        jobName: 'Server Protection',
        jobType: 'Backup',
        serverName: `SRV-${letter}`,
        targetName: null,
        lastStartedAt: null,
        lastResult: null,
      })),
    );
  });

  it('moves runs to the job with their notes and state, and returns their new ids', async () => {
    const before = (await runOf('Run 1 failed')).id;
    await operator.call(editJobExecution, {
      params: { id: before },
      body: { state: 'in-progress', note: { content: 'Mine' } },
    });
    const reply = await assign(['Run 1 failed', 'Run 2 failed'], 'b');
    const { data, notFound } = (await reply.json()) as {
      data: { _id: string; assignedId: string }[];
      notFound: string[];
    };
    expect([reply.status, notFound]).toEqual([200, []]);
    expect(await places()).toEqual(['Run 2 failed: b', 'Run 3 failed: shared', 'Run 1 failed: b']);
    const { assignedId } = data.find(({ _id }) => _id === before) ?? { assignedId: '' };
    const moved = await operator.call(getJobExecution, { params: { id: assignedId } });
    expect(moved.data).toMatchObject({
      jobName: 'Server Protection',
      sharedBy: null,
      state: 'in-progress',
      note: 'Mine',
      match: 'exact',
    });
    expect((await operator.send(getJobExecution, { params: { id: before } })).status).toBe(404);
    await expectRollupsToAgree();
  });

  it('merges the notes of runs that become attempts of one run, oldest first', async () => {
    source.executions = [namedRun('4', hoursAgo(8)), namedRun('5', hoursAgo(7.75)), namedRun('6', hoursAgo(7.5))];
    await forgetHistory();
    later(5);
    await sync();
    for (const [message, content] of [
      ['Run 6 failed', 'Of the third'],
      ['Run 4 failed', 'Of the first'],
      ['Run 5 failed', 'Of the second'],
    ] as const) {
      const { id } = await runOf(message);
      later(1);
      await operator.call(editJobExecution, { params: { id }, body: { note: { content } } });
    }
    await operator.call(editJobExecution, {
      params: { id: (await runOf('Run 5 failed')).id },
      body: { state: 'resolved' },
    });
    const reply = await assign(['Run 4 failed', 'Run 5 failed', 'Run 6 failed'], 'b');
    const { data } = (await reply.json()) as { data: { assignedId: string }[] };
    const ids = new Set(data.map(({ assignedId }) => assignedId));
    expect(ids.size).toBe(1);
    const moved = await operator.call(getJobExecution, { params: { id: [...ids][0] ?? '' } });
    expect(moved.data).toMatchObject({ attempts: 3, state: 'resolved' });
    expect(moved.data.notes.map(({ content }) => content)).toEqual(['Of the third', 'Of the first', 'Of the second']);
  });

  it('updates the job’s last run, and removes the shared job with its last run', async () => {
    for (const [message, job] of [
      ['Run 1 failed', 'a'],
      ['Run 2 failed', 'a'],
      ['Run 3 failed', 'b'],
    ] as const)
      expect((await assign([message], job)).status).toBe(200);
    const overview = await operator.call(getOverviewStats, { query: WEEK });
    expect(overview.data).toMatchObject({ jobs: 3, failed: 2, neverRan: 1 });
    expect(
      await rows(portal.database, sql`select from jobs where shared_by is not null or shared_job is not null`),
    ).toEqual([]);
    expect((await operator.call(getSpreadsheetReport, { query: WEEK })).count).toBe(3);
    await expectRollupsToAgree();
  });

  it('is recorded with the values before and after', async () => {
    const { id } = await runOf('Run 1 failed');
    await assign(['Run 1 failed'], 'b');
    const [entry] = await rows<{ target_id: string; before: object[]; after: object }>(
      portal.database,
      sql`select target_id, before, after from audit_entries where action = 'job-execution.assign'`,
    );
    expect(entry?.target_id).toBe(await jobId('b'));
    expect(entry?.before).toMatchObject([{ _id: id, state: 'pending' }]);
    expect(entry?.after).toMatchObject({ jobName: 'Server Protection', executions: [{ _id: id }] });
  });

  it('changes and records nothing the second time', async () => {
    const { id } = await runOf('Run 1 failed');
    await assign(['Run 1 failed'], 'b');
    const after = await storedRuns(portal.database);
    const body = { ids: [id], jobInstanceUid: await jobId('b') };
    expect(await operator.call(assignJobExecutions, { body })).toEqual({ success: true, data: [], notFound: [id] });
    expect(await storedRuns(portal.database)).toEqual(after);
    expect(
      await rows(portal.database, sql`select from audit_entries where action = 'job-execution.assign'`),
    ).toHaveLength(1);
  });

  it('is not undone by the next sync', async () => {
    await assign(['Run 2 failed'], 'b');
    await forgetHistory();
    later(5);
    await sync();
    expect(await places()).toEqual(['Run 2 failed: b', 'Run 3 failed: shared', 'Run 1 failed: shared']);
  });

  it('refuses a run whose start another run of the job has, and moves none of the others', async () => {
    await assign(['Run 2 failed'], 'b');
    const refused = await assign(['Run 1 failed', 'Run 3 failed'], 'b');
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      message: expect.stringContaining('"Server Protection" already has a run that began at'),
    });
    expect(await places()).toEqual(['Run 2 failed: b', 'Run 3 failed: shared', 'Run 1 failed: shared']);
    expect((await assign(['Run 1 failed', 'Run 3 failed'], 'c')).status).toBe(200);
    await expectRollupsToAgree();
  });

  it('refuses two runs of the same start for one job', async () => {
    expect((await assign(['Run 2 failed', 'Run 3 failed'], 'a')).status).toBe(409);
  });

  it('refuses a job of another name, a run of no shared job, and users without the right', async () => {
    source.jobs.push(protectionJob('other', 'Another'));
    source.executions.push(writtenExecution('a', hoursAgo(12), { result: 'Failed', message: 'Its own' }));
    await forgetHistory();
    later(5);
    await sync();
    expect((await assign(['Run 1 failed'], 'other')).status).toBe(422);
    expect((await assign(['Its own'], 'b')).status).toBe(422);
    expect((await assign(['Run 1 failed'], 'a', await portal.as('read-only'))).status).toBe(403);
    expect(await places()).toContain('Run 1 failed: shared');
  });

  it('is limited to the companies of a user', async () => {
    const stranger = await portal.as('operator', { companyIds: [await buildCompany(portal.database)] });
    const foreign = await portal.as('operator', { providerId: 2 });
    for (const caller of [stranger, foreign]) expect((await assign(['Run 1 failed'], 'a', caller)).status).toBe(404);
    expect((await stranger.call(listJobExecutions, { query: {} })).count).toBe(0);
    expect(await stranger.call(getLastSync, {})).not.toHaveProperty('unassigned');
  });

  it('does not change any figure, in any order of assignments', { timeout: 60_000 }, async () => {
    const hours = fc.uniqueArray(fc.integer({ min: 2, max: 160 }), { minLength: 2, maxLength: 8 });
    const moves = fc.array(fc.tuple(fc.nat(7), fc.constantFrom('a', 'b', 'c')), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(hours, moves, async (starts, assigned) => {
        await portal.database.query(
          'truncate jobs, job_executions, job_execution_logs, job_days, company_days, provider_days cascade',
        );
        source.executions = starts.map((at, id) => namedRun(`p${id}`, hoursAgo(at)));
        await forgetHistory();
        await sync();
        for (const [id, job] of assigned) {
          const run = (await storedRuns(portal.database)).find(({ message }) => message === `Run p${id} failed`);
          if (run?.sharedBy != null) expect((await assign([run.message ?? ''], job)).status).toBe(200);
        }
        const { list, csv, history, ranking } = await failuresEverywhere(operator);
        expect({ list, csv, history, ranking }).toEqual({
          list: starts.length,
          csv: starts.length,
          history: starts.length,
          ranking: starts.length,
        });
        await expectRollupsToAgree();
      }),
      { numRuns: tries(8, 40) },
    );
  });
});

describe('an unmatched run stored by an older version', () => {
  async function storeUnmatched(id: string, jobName: string, hours: number): Promise<void> {
    await execute(
      portal.database,
      sql`insert into unmatched_runs (provider_id, id, source_id, external_id, job_name, company_id, started_at, result, message)
          values (1, ${newId()}, ${sourceId}, ${id}, ${jobName}, (select id from companies where name = 'Acme'), ${hoursAgo(hours)}, 'Failed', ${`Run ${id} failed`})`,
    );
  }

  it('becomes a run of a shared job, and is completed when the history is read again', async () => {
    await sync();
    await execute(portal.database, sql`delete from jobs where shared_by is not null`);
    for (let id = 0; id < 600; id += 1) await storeUnmatched(`s${id}`, 'Server Protection', 2 + id / 10);
    await storeUnmatched('none', 'Unknown job', 5);
    later(5);
    await sync();
    const ofShared = (await storedRuns(portal.database)).filter((run) => run.job === 'shared');
    expect(ofShared).toHaveLength(600);
    const { data } = await admin.call(listUnmatchedRuns, { query: {} });
    expect(data.map(({ jobName }) => jobName)).toEqual(['Unknown job']);
    source.executions = [namedRun('s0', hoursAgo(2))];
    await forgetHistory();
    later(5);
    await sync();
    const [run] = (await operator.call(listJobExecutions, { query: { filter: { search: 'Run s0 failed' } } })).data;
    expect(run).toMatchObject({ durationMs: 600_000, endedAt: expect.any(String) });
    await expectRollupsToAgree();
  });
});

describe('the last sync', () => {
  it('counts pending unassigned runs and unmatched runs by result', async () => {
    source.executions = [
      namedRun('1', hoursAgo(5)),
      namedRun('2', hoursAgo(29)),
      namedRun('3', hoursAgo(30), { result: 'Warning' }),
      namedRun('fine', hoursAgo(31), { result: 'Success', message: null }),
      namedRun('none', hoursAgo(8), { jobName: 'Unknown job' }),
    ];
    await sync();
    const said = await operator.call(getLastSync, {});
    expect(said.unassigned).toEqual({
      since: hoursAgo(30).toISOString(),
      results: [
        { result: 'Failed', runs: 2 },
        { result: 'Warning', runs: 1 },
      ],
    });
    expect(said.unmatched).toEqual({ results: [{ result: 'Failed', runs: 1 }] });
    const led = {
      from: said.unassigned?.since,
      filter: { unassigned: true, state: 'pending', type: 'Failed' },
    } as const;
    expect((await operator.call(listJobExecutions, { query: led })).count).toBe(2);
  });

  it('does not mention them once all are handled', async () => {
    source.executions = [namedRun('1', hoursAgo(5))];
    await sync();
    const params = { id: (await runOf('Run 1 failed')).id };
    await operator.call(editJobExecution, { params, body: { state: 'resolved' } });
    const said = await operator.call(getLastSync, {});
    expect(said).not.toHaveProperty('unassigned');
    expect(said).not.toHaveProperty('unmatched');
  });
});
