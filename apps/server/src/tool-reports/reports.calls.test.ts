import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import {
  createIntakeToken,
  deleteIntakeToken,
  deleteTestRuns,
  getIntakeToken,
  listIntakeTokens,
  reportRun,
  TEST_TOOL,
} from '@keepwatch/contract/tool-reports/tool-reports';
import { processorMs } from '@keepwatch/sandbox/testing/processor-time';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { row, rows } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { buildCompany } from '../testing/builders.ts';
import { HOSTILE_REPORTS } from '../testing/hostile-reports.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { REPORTED_JOBS_MAX } from './reported-jobs.ts';

let portal: TestPortal;
let admin: Caller;
let companyId: string;
let token: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
  companyId = await buildCompany(portal.database, { name: 'Acme' });
  ({ token } = await admin.call(createIntakeToken, { body: { name: 'Backup of the office', companyId } }));
});
afterAll(() => portal.stop());

const START = '2026-03-02T06:00:00.000Z';
const DAY = { from: '2026-03-02T00:00:00.000Z', to: '2026-03-02T23:59:59.999Z' };
const PLAIN = {
  job: 'nightly',
  startedAt: START,
  durationMs: 60_000,
  result: 'Success',
  transferredBytes: 5,
  processedFiles: 2,
};

/** Sends a report as a tool does: any text to the path of the declared call. */
async function report(body: unknown, { query = '', to = token }: { query?: string; to?: string } = {}) {
  const path = `/api${reportRun.path.replace('{token}', to)}`;
  const sent = typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body);
  const response = await portal.anonymous.raw('POST', `${path}${query}`, { body: sent });
  return { status: response.status, reply: await response.json() };
}

/** Sends the head of a report without its body, so that an answer cannot depend on the body. */
async function announce(to: string, bodyBytes: number) {
  const path = `/api${reportRun.path.replace('{token}', to)}`;
  const request = http.request(`${portal.url}${path}`, { method: 'POST', headers: { 'content-length': bodyBytes } });
  request.flushHeaders();
  try {
    const [response]: http.IncomingMessage[] = await once(request, 'response');
    if (response === undefined) throw new Error('Nothing was answered.');
    return { status: response.statusCode, reply: JSON.parse(await text(response)) };
  } finally {
    request.on('error', () => {}).destroy();
  }
}

describe('POST monitoring/intake', () => {
  it('200: accepts a run in the plain form and creates its job in the token’s company', async () => {
    const { status, reply } = await report(PLAIN);
    expect(status).toBe(200);
    expect(reply.data).toMatchObject([{ jobName: 'nightly', result: 'Success', sourceGroup: 'file-share-jobs' }]);
    const stored = await row(
      portal.database,
      sql`select e.*, j.name, s.kind from job_executions e join jobs j using (provider_id, job_instance_uid)
          join sources s on s.provider_id = j.provider_id and s.id = j.source_id where e.id = ${reply.data[0]._id}`,
    );
    expect(stored).toMatchObject({
      ...{ company_id: companyId, name: 'nightly', kind: 'intake', started_at: START, state: 'resolved' },
      ...{ ended_at: '2026-03-02T06:01:00.000Z', duration_ms: 60_000, transferred_bytes: 5, processed_files: 2 },
    });
  });

  it('200: returns the same answer when a report is sent again, and stores it once', async () => {
    const first = await report({ ...PLAIN, job: 'twice' });
    const second = await report({ ...PLAIN, job: 'twice' });
    expect(second).toEqual(first);
    const uid = first.reply.data[0].jobInstanceUid;
    expect(await rows(portal.database, sql`select from job_executions where job_instance_uid = ${uid}`)).toHaveLength(
      1,
    );
  });

  it('200: reads UTF-16, as files written by Windows PowerShell', async () => {
    const run = { ...PLAIN, job: 'Köln', message: 'Fertig ✓' };
    const { status, reply } = await report(new Blob([Buffer.from(`\ufeff${JSON.stringify(run)}\r\n`, 'utf16le')]));
    expect(status).toBe(200);
    expect(reply.data).toMatchObject([{ jobName: 'Köln' }]);
  });

  it('200: returns the execution of a run whose later report has a start some seconds earlier', async () => {
    const run = { job: 'seconds', startedAt: '2026-03-02T01:00:30Z' };
    const first = await report({ ...run, result: 'Running' });
    const ended = { ...run, startedAt: '2026-03-02T01:00:00Z', endedAt: '2026-03-02T01:10:00Z', result: 'Success' };
    const second = await report(ended);
    expect(second.reply.data).toEqual([{ ...first.reply.data[0], result: 'Success' }]);
  });

  it('200: recognizes a repeated report without a start by what the tool created', async () => {
    const summary = {
      ...{ message_type: 'summary', data_added: 1, total_files_processed: 1, total_bytes_processed: 1 },
      ...{ total_duration: 2, snapshot_id: 'abcdef01' },
    };
    const first = await report(summary, { query: '?job=restic' });
    portal.clock.now = new Date(TEST_NOW.getTime() + 3_600_000);
    const second = await report(summary, { query: '?job=restic' });
    portal.clock.now = TEST_NOW;
    expect(second).toEqual(first);
  });

  it('200: accepts many runs at once, with all fields of the plain form, in any group', async () => {
    const log = ['a line', { level: 'error', text: 'Disk full', at: START }];
    const runs = [
      {
        ...PLAIN,
        job: 'list',
        result: 'Failed',
        group: 'managed-agents',
        message: 'Disk full',
        log,
        processedBytes: 1,
        sizeBytes: 2,
      },
      { job: 'list', startedAt: '2026-03-02T07:00:00Z', result: 'Running' },
      { job: 'list', startedAt: '2026-03-02T05:00:00+01:00', endedAt: '2026-03-02T04:30:00Z', result: 'Warning' },
    ];
    const { status, reply } = await report(runs);
    expect(status).toBe(200);
    expect(reply.data.map((run: { result: string }) => run.result)).toEqual(['Failed', 'Running', 'Warning']);
    expect(reply.data[0].sourceGroup).toBe('managed-agents');
  });

  it('200: turns a success into a failure if the exit code is that of a failure', async () => {
    const { reply } = await report({ ...PLAIN, job: 'exit' }, { query: '?exitCode=2' });
    expect(reply.data).toMatchObject([{ result: 'Failed' }]);
  });

  it('200: records the last use of the token at most once a minute', async () => {
    const { token: to, data } = await admin.call(createIntakeToken, { body: { name: 'Used', companyId } });
    const used = async (seconds: number) => {
      portal.clock.now = new Date(TEST_NOW.getTime() + seconds * 1_000);
      await report(PLAIN, { to });
      const found = await row<{ at: string }>(
        portal.database,
        sql`select last_used_at as at from intake_tokens where id = ${data._id}`,
      );
      return (Date.parse(found?.at ?? '') - TEST_NOW.getTime()) / 1_000;
    };
    expect([await used(0), await used(59), await used(61)]).toEqual([0, 0, 61]);
    portal.clock.now = TEST_NOW;
  });

  it('400: names the line of invalid JSON', async () => {
    const { status, reply } = await report('{"job": "a"}\n{"startedAt": }');
    expect(status).toBe(400);
    expect(reply).toMatchObject({ success: false, code: 'MALFORMED_JSON', message: expect.stringContaining('Line 2') });
  });

  it('404: refuses an unknown token exactly like a removed one', async () => {
    const made = await admin.call(createIntakeToken, { body: { name: 'Short-lived', companyId } });
    await admin.call(deleteIntakeToken, { params: { id: made.data._id } });
    const removed = await report(PLAIN, { to: made.token });
    const unknown = await report(PLAIN, { to: 'x'.repeat(43) });
    expect(removed.status).toBe(404);
    expect({ ...removed.reply, requestId: '' }).toEqual({ ...unknown.reply, requestId: '' });
  });

  it.each(['x'.repeat(43), 'x'.repeat(101)])(
    '404: refuses the unknown token %s before its body is sent',
    async (to) => {
      const unknown = await report(PLAIN, { to });
      const announced = await announce(to, 8 * 1024 * 1024);
      expect(announced.status).toBe(404);
      expect({ ...announced.reply, requestId: '' }).toEqual({ ...unknown.reply, requestId: '' });
    },
  );

  it('409: limits the jobs when every report names another one', async () => {
    const company = await buildCompany(portal.database);
    const other = await admin.call(createIntakeToken, { body: { name: 'Confused', companyId: company } });
    const jobs = Array.from({ length: REPORTED_JOBS_MAX }, (_, index) => ({ ...PLAIN, job: `job ${index}` }));
    expect((await report(jobs, { to: other.token })).status).toBe(200);
    const { status, reply } = await report({ ...PLAIN, job: 'one more' }, { to: other.token });
    expect(status).toBe(409);
    expect(reply.message).toContain('Send the same job name at every run');
    expect((await report({ ...PLAIN, job: 'job 0' }, { to: other.token })).status).toBe(200);
  });

  it.each(['[\n', '{"a":\n', 'x\n{"a":\n', '{}'])(
    'answers 8 MB of %j with less than two seconds of CPU time',
    async (unit) => {
      const body = unit.repeat(Math.floor((8 * 1024 * 1024) / unit.length));
      const sendAndReceive = async () =>
        expect([400, 413, 422]).toContain((await report(body, { query: '?job=brackets' })).status);
      expect(await processorMs(sendAndReceive)).toBeLessThan(2_000);
    },
  );

  it('answers 1,000 runs of 3,900 invalid lines with less than two seconds of CPU time', async () => {
    const body = HOSTILE_REPORTS['1,000 runs of 3,900 wrong lines']?.() ?? '';
    const sendAndReceive = async () => expect([413, 422]).toContain((await report(body)).status);
    expect(await processorMs(sendAndReceive)).toBeLessThan(2_000);
  });

  it('200: stores a large report like a small one', async () => {
    const log = Array.from({ length: 3_000 }, (_, index) => `line ${index} ${'x'.repeat(50)}`);
    const { status, reply } = await report({ ...PLAIN, job: 'large', log });
    expect(status).toBe(200);
    const stored = await row<{ lines: { text: string }[] }>(
      portal.database,
      sql`select lines from job_execution_logs where execution_id = ${reply.data[0]._id}`,
    );
    expect(stored?.lines).toHaveLength(500);
    expect(stored?.lines.at(-1)?.text).toBe('2501 more lines were left out here; the whole log is in the source.');
  });

  it('413: refuses more than 8 MB', async () => {
    expect((await report('x'.repeat(8 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it.each([
    ['nothing', '', 'EMPTY_REPORT'],
    ['something else', '<html></html>', 'INVALID_INPUT'],
    ['a start that the clock has not reached', { ...PLAIN, startedAt: '2026-03-02T08:11:00Z' }, 'INVALID_INPUT'],
    ['a job without a name', { ...PLAIN, job: '  ' }, 'INVALID_INPUT'],
    ['a start in the future', { ...PLAIN, startedAt: '2031-01-01T00:00:00Z' }, 'INVALID_INPUT'],
    ['a start before computers', { ...PLAIN, startedAt: '1026-01-01T00:00:00Z' }, 'INVALID_INPUT'],
    ['an end before the start', { ...PLAIN, endedAt: '2026-03-01T00:00:00Z' }, 'INVALID_INPUT'],
    ['negative bytes', { ...PLAIN, transferredBytes: -1 }, 'INVALID_INPUT'],
    ['bytes beyond what is exact', { ...PLAIN, transferredBytes: 1e300 }, 'INVALID_INPUT'],
    ['more than a petabyte', { ...PLAIN, transferredBytes: 1e15 + 1 }, 'INVALID_INPUT'],
    ['more than ten billion files', { ...PLAIN, processedFiles: 1e10 + 1 }, 'INVALID_INPUT'],
    ['an unknown field', { ...PLAIN, transfered: 1 }, 'INVALID_INPUT'],
    ['an unknown result', { ...PLAIN, result: 'OK' }, 'INVALID_INPUT'],
    ['no end and no duration', { ...PLAIN, durationMs: undefined }, 'INVALID_INPUT'],
    ['no job', { ...PLAIN, job: undefined }, 'INVALID_INPUT'],
  ])('422: refuses %s, and stores nothing of it', async (_what, body, code) => {
    const count = () => row(portal.database, sql`select count(*) as count from job_executions`);
    const before = await count();
    const { status, reply } = await report(
      typeof body === 'string' ? body : [{ ...PLAIN, startedAt: '2026-01-01T00:00:00Z' }, body],
    );
    expect(status).toBe(422);
    expect(reply).toMatchObject({ success: false, code });
    expect(await count()).toEqual(before);
  });

  it('422: names every invalid field with the index of its run', async () => {
    const { reply } = await report([PLAIN, { ...PLAIN, result: 'OK', processedFiles: 1.5 }]);
    const paths = reply.errors.map((error: { path: string }) => error.path);
    expect(paths).toEqual(expect.arrayContaining(['body.1.result', 'body.1.processedFiles']));
  });

  it('422: refuses more than a petabyte from a tool too, and names the amount', async () => {
    const summary = { message_type: 'summary', data_added: 2e15, total_files_processed: 1, total_duration: 1 };
    const { status, reply } = await report(summary, { query: '?job=absurd' });
    expect(status).toBe(422);
    expect(reply.errors[0].message).toContain('its transferredBytes is 2000000000000000; no run has more than');
  });

  it('422: refuses different jobs in the body and in the address', async () => {
    const { status, reply } = await report(PLAIN, { query: '?job=weekly' });
    expect(status).toBe(422);
    expect(reply.errors).toEqual([
      { path: 'body.job', message: 'is "nightly", and ?job= in the address says "weekly": use one of them' },
    ]);
    expect((await report(PLAIN, { query: '?job=nightly' })).status).toBe(200);
  });

  it('422: describes a valid log entry', async () => {
    const { reply } = await report({ ...PLAIN, log: [null] });
    expect(reply.errors).toEqual([
      { path: 'body.log.0', message: 'must be a text, or an object of text, level and at' },
    ]);
  });

  it('422: refuses an invalid exit code', async () => {
    expect((await report(PLAIN, { query: '?exitCode=-1' })).status).toBe(422);
  });

  it.each([
    ['plain form', (message: string) => ({ ...PLAIN, job: 'long', result: 'Failed', message })],
    ['restic', (message: string) => ({ message_type: 'exit_error', code: 1, message })],
    ['borg', (message: string) => ({ type: 'log_message', levelname: 'ERROR', message })],
  ])('200: stores the beginning and the end of a message of 100 kB: %s', async (form, reported) => {
    const message = `Copying ${'x y '.repeat(25_000)} the tape is gone`;
    const { status, reply } = await report(reported(message), form === 'plain form' ? {} : { query: '?job=long' });
    expect(status).toBe(200);
    const stored = await row<{ message: string }>(
      portal.database,
      sql`select message from job_executions where id = ${reply.data[0]._id}`,
    );
    expect(stored?.message).toHaveLength(4_000);
    expect(stored?.message).toMatch(/Copying x y .*left out.* the tape is gone$/s);
  });

  it('stores texts unchanged, whatever they mean to a database or a browser', async () => {
    const job = `'; drop table jobs; --<img src=x onerror=alert(1)>`;
    const { reply } = await report({ ...PLAIN, job, message: '\\N $1 <script>' });
    expect(reply.data[0].jobName).toBe(job);
    const stored = await row(portal.database, sql`select message from job_executions where id = ${reply.data[0]._id}`);
    expect(stored).toEqual({ message: '\\N $1 <script>' });
  });
});

describe('intake tokens', () => {
  it('200: show the token once, with the address to report to', async () => {
    const made = await admin.call(createIntakeToken, { body: { name: 'Shown once', companyId } });
    expect(made.address).toBe(`https://portal.test/api/monitoring/intake/${made.token}`);
    expect(made.data).toMatchObject({ name: 'Shown once', companyName: 'Acme', lastUsedAt: null });
    const list = await admin.call(listIntakeTokens, { query: { limit: 100 } });
    expect(list.data).toHaveLength(list.count);
    const page = await admin.call(listIntakeTokens, { query: { limit: 1, offset: 1 } });
    expect(page).toMatchObject({ count: list.count, data: [list.data[1]] });
    expect(JSON.stringify(list)).not.toContain(made.token);
    const [stored] = await rows<Record<string, unknown>>(
      portal.database,
      sql`select * from intake_tokens where id = ${made.data._id}`,
    );
    expect(JSON.stringify(stored)).not.toContain(made.token);
  });

  it('200: are in the audit log when created and removed, without the token', async () => {
    const made = await admin.call(createIntakeToken, { body: { name: 'Audited', companyId } });
    await admin.call(deleteIntakeToken, { params: { id: made.data._id } });
    const entries = await rows<{ action: string; user_id: string }>(
      portal.database,
      sql`select * from audit_entries where target_id = ${made.data._id} order by action`,
    );
    expect(entries).toMatchObject([
      { action: 'intake-token.create', user_id: admin.userId },
      { action: 'intake-token.delete', user_id: admin.userId },
    ]);
    expect(JSON.stringify(entries)).not.toContain(made.token);
  });

  it('404: are created only for companies in scope', async () => {
    const theirs = await buildCompany(portal.database, { providerId: 2 });
    const other = await buildCompany(portal.database);
    const limited = await portal.as('admin', { companyIds: [other] });
    const tries = [
      admin.send(createIntakeToken, { body: { name: 'x', companyId: theirs } }),
      admin.send(createIntakeToken, { body: { name: 'x', companyId: newId() } }),
      limited.send(createIntakeToken, { body: { name: 'x', companyId } }),
    ];
    expect((await Promise.all(tries)).map((response) => response.status)).toEqual([404, 404, 404]);
    expect((await limited.call(listIntakeTokens, {})).count).toBe(0);
  });

  it('200: say which tool has reported which job with them, the newest run first', async () => {
    const made = await admin.call(createIntakeToken, { body: { name: 'Watched', companyId } });
    const detail = async () => (await admin.call(getIntakeToken, { params: { id: made.data._id } })).data;
    expect(await detail()).toMatchObject({ name: 'Watched', companyName: 'Acme', hasTestRun: false, jobs: [] });
    const to = made.token;
    const summary = { message_type: 'summary', data_added: 1, total_files_processed: 1, total_duration: 1 };
    await report(summary, { query: '?job=by-restic', to });
    await report({ ...PLAIN, job: 'by-hook', tool: 'Proxmox VE', result: 'Failed' }, { to });
    const before = new Date(Date.parse(START) - 60_000).toISOString();
    await report({ ...PLAIN, job: 'by-script', startedAt: before }, { to });
    expect((await detail()).jobs).toMatchObject([
      { jobName: 'by-restic', tool: 'restic', result: 'Success' },
      { jobName: 'by-hook', tool: 'Proxmox VE', result: 'Failed' },
      { jobName: 'by-script', tool: null, result: 'Success' },
    ]);
    // A tool that failed before it printed anything of its own.
    await report('command not found', { query: '?job=by-restic&exitCode=127', to });
    expect((await detail()).jobs[0]).toMatchObject({ jobName: 'by-restic', tool: 'restic' });
    const operator = await portal.as('operator');
    const query = { ...DAY, filter: { search: 'by-', companyIds: companyId, state: 'all' as const } };
    const { data } = await operator.call(listJobExecutions, { query });
    expect(data.map(({ jobName, tool }) => [jobName, tool])).toEqual(
      expect.arrayContaining([
        ['by-restic', 'restic'],
        ['by-hook', 'Proxmox VE'],
        ['by-script', null],
      ]),
    );
  });

  it('404: are shown only in scope', async () => {
    const made = await admin.call(createIntakeToken, { body: { name: 'Hidden', companyId } });
    const stranger = await portal.as('admin', { providerId: 2 });
    const limited = await portal.as('admin', { companyIds: [await buildCompany(portal.database)] });
    for (const caller of [stranger, limited])
      for (const call of [getIntakeToken, deleteTestRuns] as const)
        expect((await caller.send(call, { params: { id: made.data._id } })).status).toBe(404);
  });

  it('422: refuse a name of a tool that is too long', async () => {
    expect((await report({ ...PLAIN, tool: 'x'.repeat(41) })).status).toBe(422);
  });

  it('404: are removed only in scope', async () => {
    const made = await admin.call(createIntakeToken, { body: { name: 'Mine', companyId } });
    const stranger = await portal.as('admin', { providerId: 2 });
    expect((await stranger.send(deleteIntakeToken, { params: { id: made.data._id } })).status).toBe(404);
    expect((await report(PLAIN, { to: made.token })).status).toBe(200);
  });
});

describe('DELETE monitoring/backoffice/intake-tokens/{id}/test-runs', () => {
  const sums = () =>
    rows(
      portal.database,
      sql`select 'provider' as of, day, success, failed, transferred_bytes from provider_days
          union all select company_id::text, day, success, failed, transferred_bytes from company_days
          union all select job_instance_uid::text, day, success, failed, transferred_bytes from job_days order by 1, 2`,
    );

  async function withTest() {
    const made = await admin.call(createIntakeToken, { body: { name: 'Tried', companyId } });
    const to = made.token;
    await report({ ...PLAIN, job: 'tried' }, { to });
    const before = await sums();
    await report({ ...PLAIN, job: 'tried-test', tool: TEST_TOOL }, { to });
    await report(
      { ...PLAIN, job: 'tried-test', tool: TEST_TOOL, result: 'Failed', startedAt: '2026-03-02T07:30:00Z' },
      { to },
    );
    expect(await sums()).not.toEqual(before);
    return { id: made.data._id, before };
  }

  it('200: removes the runs of the test from all lists and figures, and no others', async () => {
    const { id, before } = await withTest();
    const detail = async () => (await admin.call(getIntakeToken, { params: { id } })).data;
    expect(await detail()).toMatchObject({ hasTestRun: true });
    await admin.call(deleteTestRuns, { params: { id } });
    expect(await sums()).toEqual(before);
    expect(await detail()).toMatchObject({ hasTestRun: false, jobs: [{ jobName: 'tried' }] });
    const left = sql`select from jobs where name = 'tried-test'`;
    const orphans = sql`select e.id from job_executions e left join jobs j using (provider_id, job_instance_uid) where j.name is null
      union all select execution_id from job_execution_logs l where not exists (select from job_executions e where e.id = l.execution_id)
      union all select f.id from faults f left join jobs j using (provider_id, job_instance_uid) where j.name is null`;
    expect([await rows(portal.database, left), await rows(portal.database, orphans)]).toEqual([[], []]);
    const entry = await row(
      portal.database,
      sql`select action, before from audit_entries where target_id = ${id} order by at desc, action desc limit 1`,
    );
    expect(entry).toEqual({ action: 'intake-token.delete-test-runs', before: { jobs: 1 } });
  });

  it('200: never removes a job with a backup, whether the test or the backup came first', async () => {
    const made = await admin.call(createIntakeToken, { body: { name: 'Mixed', companyId } });
    const to = made.token;
    const later = { startedAt: '2026-03-02T07:30:00Z' };
    await report({ ...PLAIN, job: 'backup-first' }, { to });
    await report({ ...PLAIN, ...later, job: 'backup-first', tool: TEST_TOOL }, { to });
    await report({ ...PLAIN, job: 'test-first', tool: TEST_TOOL }, { to });
    await report({ ...PLAIN, ...later, job: 'test-first' }, { to });
    const both = [
      { ...PLAIN, tool: TEST_TOOL },
      { ...PLAIN, ...later },
    ].map((run) => ({ ...run, job: 'in-one-report' }));
    await report(both, { to });
    const params = { id: made.data._id };
    await admin.call(deleteTestRuns, { params });
    const { data } = await admin.call(getIntakeToken, { params });
    expect(data.jobs.map(({ jobName }) => jobName).sort()).toEqual(['backup-first', 'in-one-report', 'test-first']);
  });

  it('200: goes with the token', async () => {
    const { id, before } = await withTest();
    await admin.call(deleteIntakeToken, { params: { id } });
    expect(await sums()).toEqual(before);
  });
});
