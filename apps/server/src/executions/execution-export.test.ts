import { once } from 'node:events';
import { editBackupClock } from '@keepwatch/contract/backup-days/backup-clock';
import { UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import { exportJobExecutions, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { createCsvRecords } from '@keepwatch/contract/wire/csv-records';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { exportCsv } from '../foundation/http/replies/csv-export.ts';
import { Scope } from '../foundation/scope.ts';
import { type BuiltJob, buildCompany, buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo, lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { executionCsv, executionExportQuery } from './execution-export.ts';

const FILTER = { ignored: false, anomaly: true, latest: false };
const JOBS = { source: 'JOBS', format: 'csv' } as const;
let portal: TestPortal;
let reader: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
});
afterAll(() => portal.stop());

describe('POST monitoring/reporting/export', () => {
  it('200: downloads the executions of the filter in a file named after the current time', async () => {
    const companyId = await buildCompany(portal.database, { name: 'Müller, "Sons"' });
    const job = await buildJob(portal.database, { companyId, name: 'Mail' });
    await buildExecution(portal.database, job, {
      startedAt: daysAgo(1),
      message: 'line 1\nline 2; "x"',
      anomalies: ['size', 'duration'],
    });
    await buildExecution(portal.database, await buildJob(portal.database), { startedAt: daysAgo(1) });
    const response = await reader.send(exportJobExecutions, { body: { ...JOBS, filter: { companyIds: companyId } } });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="DailyChecks-2026-03-02T08-00-00Z.csv"',
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes)).toBe(
      [
        'Company,Job,Job type,Data source,Server,Result,State,Started (UTC),Ended (UTC),Duration (ms),Transferred (bytes),Processed (bytes),Processed files,Size (bytes),Attempts,Message,Anomalies,Match,Note,Ignored until (UTC),State changed by,State changed (UTC),Backup day,Tool',
        '"Müller, ""Sons""",Mail,,managed-servers,,Failed,pending,2026-03-01T08:00:00.000Z,2026-03-01T08:10:00.000Z,600000,1000000,,,,1,"line 1\nline 2; ""x""","size, duration",exact,,,,,2026-03-01,',
        '',
      ].join('\r\n'),
    );
  });

  it('200: says times, days and its name by the clock of the provider', async () => {
    const other = await startTestPortal();
    const job = await buildJob(other.database);
    await buildExecution(other.database, job, { startedAt: new Date('2026-03-01T16:30:00.000Z') });
    const clock = { timeZone: 'Europe/Berlin', beginHour: 18 };
    await (await other.as('super-admin')).call(editBackupClock, { body: clock });
    const response = await (await other.as('read-only')).send(exportJobExecutions, {
      body: { ...JOBS, ...lastDays(10) },
    });
    expect(response.headers.get('content-disposition')).toContain('DailyChecks-2026-03-02T09-00-00+0100.csv');
    const [header = '', run = ''] = (await response.text()).split('\r\n');
    expect(header).toContain(',Started (Europe/Berlin),Ended (Europe/Berlin),');
    expect(run).toContain(',2026-03-01T17:30:00.000+01:00,2026-03-01T17:40:00.000+01:00,');
    expect(run).toMatch(/,2026-02-28,$/);
    await other.stop();
  });

  it('200: escapes a text that a spreadsheet would run as a formula', async () => {
    const dangerous = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "=cmd|' /C calc'!A0"];
    const companyId = await buildCompany(portal.database, { name: '=HYPERLINK("http://x")' });
    const job = await buildJob(portal.database, { companyId, name: '@job' });
    for (const [index, message] of dangerous.entries())
      await buildExecution(portal.database, job, { startedAt: daysAgo(0.1 * (index + 1)), message });
    const csv = await reader.call(exportJobExecutions, { body: { ...JOBS, filter: { companyIds: companyId } } });
    for (const message of dangerous) expect(csv).toContain(`'${message}`);
    expect(csv).toContain(`"'=HYPERLINK(""http://x"")",'@job`);
    expect(csv).not.toMatch(/(^|,|\n)"?[=+@\t]/);
  });

  it('200: exports a message of several lines as one cell, whatever its line breaks', async () => {
    const companyId = await buildCompany(portal.database);
    const job = await buildJob(portal.database, { companyId });
    const messages = ['one\ntwo', 'one\rtwo', 'one\r\ntwo', 'one\n=1+1'];
    for (const [index, message] of messages.entries())
      await buildExecution(portal.database, job, { startedAt: daysAgo(0.1 * (index + 1)), message });
    const csv = await reader.call(exportJobExecutions, { body: { ...JOBS, filter: { companyIds: companyId } } });
    for (const message of messages) expect(csv).toContain(`,"${message}",`);
    const records = createCsvRecords();
    records.push(new TextEncoder().encode(csv));
    expect(records.count()).toBe(1 + messages.length);
  });

  it('200: exports exactly the rows of the list, in its order, over many batches', async () => {
    const job = await buildJob(portal.database);
    await buildMany(job, 2_500);
    const filter = { jobInstanceUids: job.jobInstanceUid, type: ['Warning' as const, 'Failed' as const] };
    const sort = '-transferredBytes' as const;
    const csv = await reader.call(exportJobExecutions, { body: { ...JOBS, ...lastDays(10), filter, sort } });
    const transferred = csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',')[10]));
    expect(transferred).toHaveLength(2_500);
    const list = await reader.call(listJobExecutions, { query: { ...lastDays(10), filter, sort, limit: 1_000 } });
    expect(transferred.slice(0, 1_000)).toEqual(list.data.map((execution) => execution.transferredBytes));
  });

  it('200: ends an export without rows, and one of full batches only', async () => {
    const job = await buildJob(portal.database);
    const count = async () => {
      const body = { ...JOBS, ...lastDays(10), filter: { jobInstanceUids: job.jobInstanceUid } };
      return (await reader.call(exportJobExecutions, { body })).trimEnd().split('\r\n').length - 1;
    };
    expect(await count()).toBe(0);
    await buildMany(job, 2_000);
    expect(await count()).toBe(2_000);
  });

  it('200: ends the query and frees its place when the client disconnects', async () => {
    const job = await buildJob(portal.database);
    await buildMany(job, 20_000);
    for (let round = 0; round < 5; round += 1) {
      const response = await reader.send(exportJobExecutions, {
        body: { ...JOBS, ...lastDays(10), filter: { jobInstanceUids: job.jobInstanceUid } },
      });
      expect(response.status).toBe(200);
      await response.body?.cancel();
      await expect.poll(openCursors).toBe(0);
    }
  });

  describe('while other exports are running', () => {
    let job: BuiltJob;
    const ask = (by: Caller) =>
      by.send(exportJobExecutions, {
        body: { ...JOBS, ...lastDays(10), filter: { jobInstanceUids: job.jobInstanceUid } },
      });
    beforeAll(async () => {
      job = await buildJob(portal.database);
      await buildMany(job, 20_000);
    });

    it('429: refuses the third export of a user, and allows it once the others are done', async () => {
      const recorded = sql`select count(*) as count from audit_entries where username = ${reader.username} and action = 'job-execution.export'`;
      const countRecorded = async () => (await row<{ count: number }>(portal.database, recorded))?.count ?? 0;
      const before = await countRecorded();
      const running = await Promise.all([ask(reader), ask(reader)]);
      const refused = await ask(reader);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('60');
      expect(await countRecorded()).toBe(before + 2);
      for (const response of running) await response.text();
      await expect.poll(openCursors).toBe(0);
      const allowed = await ask(reader);
      expect(allowed.status).toBe(200);
      await allowed.text();
    });

    it('429: refuses the fourth export of a provider, and still allows one of another provider', async () => {
      const colleagues = [await portal.as('read-only'), await portal.as('read-only')];
      const stranger = await portal.as('read-only', { providerId: 2 });
      const running = await Promise.all([ask(reader), ask(reader), ...colleagues.map(ask)]);
      expect(running.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429]);
      const other = await ask(stranger);
      expect(other.status).toBe(200);
      for (const response of [...running, other]) await response.text();
      await expect.poll(openCursors).toBe(0);
    });

    it.each([
      ['reads nothing', { idleMs: 100, totalMs: 60_000 }],
      ['takes too long', { idleMs: 60_000, totalMs: 100 }],
    ])('breaks off a reader that %s, and frees its place', async (_what, times) => {
      const scope = new Scope(1, null);
      const query = {
        from: null,
        to: null,
        filter: { ...FILTER, jobInstanceUids: [job.jobInstanceUid] },
        now: TEST_NOW,
      };
      const csv = await exportCsv(
        portal.database,
        { scope, userId: 'slow' },
        { query: executionExportQuery(scope, query), columns: executionCsv(UTC_CLOCK) },
        times,
      );
      const [error] = await once(csv, 'error');
      expect(error).toMatchObject({ message: 'The export took longer than it may.' });
      await expect.poll(openCursors).toBe(0);
    });
  });

  it('422: refuses another format, another source and unknown filters', async () => {
    for (const body of [
      { ...JOBS, format: 'xlsx' },
      { ...JOBS, source: 'USERS' },
      { ...JOBS, filter: { stat: 'x' } },
      {},
    ]) {
      const response = await reader.raw('POST', '/api/monitoring/reporting/export', { body: JSON.stringify(body) });
      expect(response.status).toBe(422);
      expect(response.headers.get('content-type')).toContain('application/json');
    }
  });
});

async function openCursors(): Promise<number> {
  const open = await rows(
    portal.database,
    sql`select pid from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return open.length;
}

/** Executions of one job, a few seconds apart, with texts long enough to fill a socket's buffer. */
async function buildMany(job: BuiltJob, count: number): Promise<void> {
  await execute(
    portal.database,
    sql`insert into job_executions (provider_id, started_at, id, job_instance_uid, company_id, transferred_bytes, source_group, result, state, message)
        select ${job.providerId}, ${daysAgo(1)}::timestamptz - make_interval(secs => n), gen_random_uuid(), ${job.jobInstanceUid},
          ${job.companyId}, n * 7919 % 10007, ${job.sourceGroup}, 'Failed', 'pending', repeat('x', 500)
        from generate_series(1, ${count}::int) n`,
  );
}
