import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import type { SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { editCompany, getCompany } from '@keepwatch/contract/companies/companies';
import { listNotifications } from '@keepwatch/contract/notifications/notifications';
import { getLastSync } from '@keepwatch/contract/sources/sources';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../../foundation/database.ts';
import { buildCompany } from '../../testing/builders.ts';
import { settle } from '../../testing/settle.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import {
  ACME_COMPANY,
  connectWrittenSource,
  insertSource,
  type WrittenSource,
  writtenExecution,
  writtenJob,
} from '../intake.fixture.ts';
import type { IntakeServices } from '../source-services.ts';
import { removeSource } from '../sources.ts';
import { type SyncOutcome, syncSource } from './sync.ts';

const DAY_MS = 86_400_000;
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

let portal: TestPortal;
let services: IntakeServices;
let console_: WrittenSource;
let sourceId: string;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(async () => {
  await portal.database.query(
    'truncate sources, sync_runs, companies, jobs, job_executions, job_days, company_days, unmatched_runs, repositories, repository_days, computers, licence_usage, notifications, outbox, alarms cascade',
  );
  ({ source: console_, services, sourceId } = await connectWrittenSource(portal));
});

function daysAgo(days: number): Date {
  return new Date(TEST_NOW.getTime() - days * DAY_MS);
}

async function sync(signal = new AbortController().signal): Promise<SyncOutcome> {
  const outcome = await syncSource(services, { sourceId, isRequested: false }, signal);
  await settle(portal.database, services.queue);
  return outcome;
}

async function syncByHand(): Promise<void> {
  await syncSource(services, { sourceId, isRequested: true }, new AbortController().signal);
}

function later(minutes: number): void {
  portal.clock.now = new Date(portal.clock.now.getTime() + minutes * 60_000);
}

/** Captures and parses what the services log from now on. */
function logOf(of: IntakeServices): () => unknown[] {
  const lines: string[] = [];
  of.log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  return () => lines.map((line): unknown => JSON.parse(line));
}

async function lastSync() {
  return (await portal.as('admin')).call(getLastSync, {});
}

interface JobRow {
  job_instance_uid: string;
  external_id: string;
  name: string;
  company_id: string | null;
  removed_at: string | null;
  overdue_at: string | null;
}

function jobs(): Promise<JobRow[]> {
  return rows<JobRow>(portal.database, sql`select * from jobs order by external_id`);
}

function executions(): Promise<{ started_at: string; result: string; is_doubtful: boolean }[]> {
  return rows(portal.database, sql`select * from job_executions where result <> 'DidntRun' order by started_at`);
}

async function missedStarts(): Promise<string[]> {
  const missed = await rows<{ started_at: string }>(
    portal.database,
    sql`select started_at from job_executions where result = 'DidntRun' order by started_at`,
  );
  return missed.map((run) => run.started_at);
}

/** Returns a last run of ten minutes as a job shows it. */
function lastRunAt(days: number): NonNullable<SourceJob['lastRun']> {
  const read = writtenExecution('any', daysAgo(days));
  if (!('value' in read)) throw new Error('A written execution has a value.');
  const { startedAt, endedAt, result, durationMs, transferredBytes, processedBytes, processedFiles, message, log } =
    read.value;
  return { startedAt, endedAt, result, durationMs, transferredBytes, processedBytes, processedFiles, message, log };
}

async function startsOf(externalId: string): Promise<string[]> {
  const found = await rows<{ at: string }>(
    portal.database,
    sql`select e.started_at as at from job_executions e join jobs j using (provider_id, job_instance_uid)
        where j.external_id = ${externalId} and e.result <> 'DidntRun' order by 1`,
  );
  return found.map(({ at }) => at);
}

describe('a sync', () => {
  it('stores companies, jobs and their runs, and reports its status', async () => {
    console_.jobs = [
      writtenJob({ externalId: UUID.toUpperCase(), name: 'Mail' }),
      writtenJob({ externalId: 'no uuid' }),
    ];
    console_.executions = [1, 2, 3].map((days) => writtenExecution('no uuid', daysAgo(days)));
    await sync();
    const company = await row<{ id: string }>(
      portal.database,
      sql`select company_id as id from company_links where external_id = 'acme'`,
    );
    const [first, second] = await jobs();
    expect(first).toMatchObject({ job_instance_uid: UUID, name: 'Mail', company_id: company?.id });
    expect(second?.job_instance_uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8/);
    expect(await executions()).toHaveLength(3);
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED', lastSync: TEST_NOW.toISOString(), failed: [] });
  });

  it('leaves a run in the future to the sync of that time, so that it hides no earlier failure', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    const ahead = writtenExecution('a', daysAgo(-3 / 24));
    const listed = console_.listExecutions.bind(console_);
    // A console with the wrong time lists the run in every range.
    console_.listExecutions = async function* (range) {
      yield* listed(range);
      yield ahead;
    };
    console_.executions = [writtenExecution('a', daysAgo(1)), writtenExecution(null, daysAgo(-3 / 24))];
    await sync();
    expect(await row(portal.database, sql`select last_started_at, last_result from jobs`)).toEqual({
      last_started_at: daysAgo(1).toISOString(),
      last_result: 'Success',
    });
    later(60);
    console_.executions = [writtenExecution('a', daysAgo(-0.5 / 24), { result: 'Failed' })];
    await sync();
    expect(
      await row(portal.database, sql`select last_result, last_success_at < ${TEST_NOW} as "isPast" from jobs`),
    ).toEqual({
      last_result: 'Failed',
      isPast: true,
    });
    later(180);
    await sync();
    expect((await executions()).map((run) => run.result)).toEqual(['Success', 'Failed', 'Success']);
    expect(await row(portal.database, sql`select last_result from jobs`)).toEqual({ last_result: 'Success' });
  });

  it('changes nothing the second time', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [writtenExecution('a', daysAgo(1))];
    await sync();
    const everything = () =>
      Promise.all(
        ['companies', 'jobs', 'job_executions', 'job_days', 'company_days'].map((table) =>
          rows(portal.database, sql`select xmin, * from ${sql.identifier(table)} order by 3, 4`),
        ),
      );
    const before = await everything();
    later(5);
    await sync();
    expect(await everything()).toEqual(before);
  });

  it('reads the newest days first, and later only new time', async () => {
    await sync();
    expect(console_.asked[0]?.from.toISOString()).toBe('2026-03-01T00:00:00.000Z');
    expect(console_.asked.at(-1)?.from).toEqual(daysAgo(100));
    console_.asked = [];
    later(5);
    await sync();
    expect(console_.asked).toHaveLength(1);
    expect(console_.asked[0]?.from).toEqual(new Date(TEST_NOW.getTime() - 2 * 3_600_000));
  });

  it('reads a range again, once, when a job shows an unknown run of that time', async () => {
    const cutOff = [3, 2.5, 2].map((days) => writtenExecution('cut off', daysAgo(days)));
    const [job, other] = [{ externalId: 'cut off' }, { externalId: 'other' }];
    console_.jobs = [writtenJob({ ...job, lastRun: lastRunAt(4) }), writtenJob({ ...other, lastRun: lastRunAt(1) })];
    console_.executions = [writtenExecution('cut off', daysAgo(4)), writtenExecution('other', daysAgo(1))];
    await sync();
    console_.jobs = [writtenJob({ ...job, lastRun: lastRunAt(2) }), writtenJob({ ...other, lastRun: lastRunAt(1) })];
    console_.executions.push(...cutOff);
    portal.clock.now = new Date(TEST_NOW.getTime() + 900_000);
    await sync();
    expect(await startsOf('cut off')).toEqual([4, 3, 2.5, 2].map((days) => daysAgo(days).toISOString()));
    console_.asked = [];
    portal.clock.now = new Date(TEST_NOW.getTime() + 1_800_000);
    await sync();
    expect(console_.asked).toHaveLength(1);
  });

  it('reads a running run again once its job shows a final result without an end time', async () => {
    const running = { ...lastRunAt(0.2), result: 'Running' as const, endedAt: null, durationMs: null };
    console_.jobs = [writtenJob({ externalId: 'long', group: 'office365', lastRun: running })];
    console_.executions = [writtenExecution('long', daysAgo(0.2), running)];
    await sync();
    console_.jobs = [writtenJob({ externalId: 'long', group: 'office365', lastRun: { ...running, result: 'Failed' } })];
    console_.executions = [writtenExecution('long', daysAgo(0.2), { result: 'Failed' })];
    portal.clock.now = new Date(TEST_NOW.getTime() + 900_000);
    await sync();
    expect(await rows(portal.database, sql`select result from job_executions`)).toEqual([{ result: 'Failed' }]);
  });

  it('continues where a killed sync stopped', async () => {
    const stop = new AbortController();
    console_.beforeRange = ({ from }) => {
      if (from < daysAgo(40)) stop.abort();
    };
    await sync(stop.signal);
    const read = console_.asked.slice(0, -1);
    console_.asked = [];
    console_.beforeRange = () => {};
    later(5);
    await sync();
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED' });
    const newest = console_.asked[0]?.from.getTime() ?? 0;
    expect(newest).toBe(TEST_NOW.getTime() - 2 * 3_600_000);
    expect(console_.asked.slice(1).every(({ to }) => read.every((earlier) => to <= earlier.from))).toBe(true);
    expect(console_.asked.at(-1)?.from.getTime()).toBeLessThanOrEqual(daysAgo(99).getTime());
  });

  it('does not start while another one of the same source runs', async () => {
    let asked = 0;
    console_.beforeRange = () => {
      asked += 1;
    };
    await Promise.all([sync(), sync()]);
    const [counted] = await rows<{ count: number }>(portal.database, sql`select count(*) as count from sync_runs`);
    expect(counted?.count).toBe(1);
    expect(asked).toBe(console_.asked.length);
  });

  it('does not fulfil a request when it was stopped or when another one runs, but when it failed', async () => {
    const stopped = new AbortController();
    const others: SyncOutcome[] = [];
    // The sync goes on when the other one has seen that it runs.
    console_.beforeRange = async () => {
      others.push(await syncSource(services, { sourceId, isRequested: false }, new AbortController().signal));
      stopped.abort(new Error('stopped'));
    };
    expect(await sync(stopped.signal)).toBe('stopped');
    expect(others).toEqual(['skipped: another sync is running']);
    console_.beforeRange = () => {};
    console_.failures = { test: new ConnectorError('wrong-credentials', 'No.') };
    expect(await sync()).toBe('ended');
  });

  it('does not read a source that is switched off or removed', async () => {
    await execute(portal.database, sql`update sources set is_enabled = false`);
    await sync();
    expect(console_.asked).toEqual([]);
  });

  it('writes missed runs between those of the history', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [10, 9, 7, 6].map((days) => writtenExecution('a', daysAgo(days)));
    await sync();
    expect(await missedStarts()).toEqual([daysAgo(8).toISOString()]);
  });
});

describe('a read failure', () => {
  it('of one entity is listed and does not stop the sync', async () => {
    console_.jobs = [
      writtenJob({ externalId: 'a' }),
      { failed: { entity: 'job', externalId: 'b', reason: 'status: expected string' } },
      writtenJob({ externalId: 'c' }),
    ];
    await sync();
    expect((await jobs()).map((job) => job.external_id)).toEqual(['a', 'c']);
    expect(await lastSync()).toMatchObject({
      status: 'PARTIAL',
      failed: [{ entity: 'job', externalId: 'b', reason: 'status: expected string', source: 'A console' }],
    });
  });

  it('of a group of jobs is listed, and their runs still match the stored jobs', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' }), writtenJob({ externalId: 'o', group: 'office365' })];
    await sync();
    later(5);
    console_.failures = { office365: new ConnectorError('bad-reply', 'The page repeats.') };
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [writtenExecution('o', TEST_NOW)];
    await sync();
    expect((await jobs()).every((job) => job.removed_at === null)).toBe(true);
    expect(await executions()).toHaveLength(1);
    expect(await lastSync()).toMatchObject({
      status: 'PARTIAL',
      failed: [{ entity: 'office365', reason: 'The page repeats.' }],
    });
  });

  it('of a part of the history makes the next sync read that part', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [1, 30].map((days) => writtenExecution('a', daysAgo(days)));
    console_.beforeRange = ({ from, to }) => {
      if (from <= daysAgo(30) && daysAgo(30) < to) throw new ConnectorError('throttled', 'Wait.');
    };
    await sync();
    expect(await executions()).toHaveLength(1);
    expect(await lastSync()).toMatchObject({ status: 'PARTIAL' });
    later(5);
    console_.beforeRange = () => {};
    await sync();
    expect(await executions()).toHaveLength(2);
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('of a part of the history delays its search for missed runs until it is read', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [32, 31, 28, 27].map((days) => writtenExecution('a', daysAgo(days)));
    console_.beforeRange = ({ from, to }) => {
      if (from <= daysAgo(31) && daysAgo(31) < to) throw new ConnectorError('throttled', 'Wait.');
    };
    await sync();
    later(5);
    console_.beforeRange = () => {};
    await sync();
    const missed = sql`select started_at from job_executions where result = 'DidntRun' and started_at < ${daysAgo(27)} order by 1`;
    expect(await rows(portal.database, missed)).toEqual(
      [30, 29].map((days) => ({ started_at: daysAgo(days).toISOString() })),
    );
  });

  it('of a part of the history does not stop the search for missed runs elsewhere', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [10, 9, 7, 6].map((days) => writtenExecution('a', daysAgo(days)));
    console_.beforeRange = ({ from, to }) => {
      if (from <= daysAgo(50) && daysAgo(50) < to) throw new ConnectorError('throttled', 'Wait.');
    };
    await sync();
    expect(await missedStarts()).toEqual([daysAgo(8).toISOString()]);
    later(3 * 24 * 60);
    console_.executions.push(writtenExecution('a', daysAgo(-2)));
    await sync();
    expect(await missedStarts()).toEqual([8, 5, 4, 3, 2, 1, 0, -1].map((days) => daysAgo(days).toISOString()));
  });

  it('of the search for missed runs makes the next sync repeat the search', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [10, 9, 7, 6].map((days) => writtenExecution('a', daysAgo(days)));
    await portal.database.query(`create function no_misses() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
      create trigger no_misses before insert on job_executions for each row when (new.result = 'DidntRun') execute function no_misses()`);
    await sync();
    expect(await lastSync()).toMatchObject({ status: 'PARTIAL', failed: [{ entity: 'missed runs' }] });
    await portal.database.query('drop function no_misses cascade');
    later(5);
    await sync();
    expect(await missedStarts()).toEqual([daysAgo(8).toISOString()]);
    const left = sql`select counts -> 'unsearched' as unsearched from sync_runs order by started_at desc limit 1`;
    expect(await row(portal.database, left)).toEqual({ unsearched: [] });
  });

  it('is counted, but not listed, beyond the first 200', async () => {
    console_.companies = Array.from({ length: 250 }, (_, index) => ({
      failed: { entity: 'company', externalId: String(index), reason: 'x' },
    }));
    await sync();
    expect((await lastSync()).failed).toHaveLength(200);
    expect(await row(portal.database, sql`select failed_count from sync_runs`)).toEqual({ failed_count: 250 });
  });

  it('of the whole source notifies the staff until it works again', async () => {
    console_.failures = {
      test: new ConnectorError('wrong-credentials', 'The API key was refused. Enter another one.'),
    };
    await sync();
    const health = () =>
      row(portal.database, sql`select health, health_since, health_message from connections where id = ${sourceId}`);
    expect(await health()).toMatchObject({
      health: 'failing',
      health_message: 'The API key was refused. Enter another one.',
    });
    const admin = await portal.as('admin');
    const reported = () => admin.call(listNotifications, { body: { userId: admin.userId } });
    expect((await reported()).data).toMatchObject([
      {
        message: 'The source "A console" cannot be read: The API key was refused. Enter another one.',
        severity: 'error',
      },
    ]);
    expect(await lastSync()).toMatchObject({ status: 'FAILED' });
    console_.failures = {};
    later(5);
    await sync();
    expect(await health()).toMatchObject({ health: 'ok', health_message: 'A console 1 answers.' });
    expect((await reported()).data).toEqual([]);
  });

  it('of a source that is removed or switched off meanwhile notifies no user', async () => {
    const admin = await portal.as('admin');
    for (const change of [sql`is_enabled = false`, sql`deleted_at = now()`]) {
      sourceId = await insertSource(portal);
      console_.test = async () => {
        await execute(portal.database, sql`update sources set ${change} where id = ${sourceId}`);
        throw new ConnectorError('wrong-credentials', 'The API key was refused.');
      };
      await sync();
      expect(await row(portal.database, sql`select status from sync_runs where source_id = ${sourceId}`)).toEqual({
        status: 'FAILED',
      });
    }
    expect((await admin.call(listNotifications, { body: { userId: admin.userId } })).data).toEqual([]);
  });

  it('of an unreachable console notifies the staff only at the second time', async () => {
    console_.failures = { test: new ConnectorError('not-reachable', 'No answer.') };
    const reported = () => rows(portal.database, sql`select from notifications where ended_at is null`);
    await sync();
    expect(await reported()).toHaveLength(0);
    later(5);
    await sync();
    expect(await reported()).toHaveLength(1);
  });

  it('is logged with its cause when it is an internal error of a part or of the sync', async () => {
    const logged = logOf(services);
    console_.failures = { computers: new TypeError('no such column') };
    await sync();
    later(5);
    console_.failures = { test: new TypeError('no such method') };
    await sync();
    expect(logged()).toMatchObject([
      { msg: 'a part of a sync failed', part: 'computers', source: sourceId, err: { message: 'no such column' } },
      { msg: 'a sync failed', source: sourceId, err: { message: 'no such method' } },
    ]);
    const reason = 'Internal error; see the server log.';
    expect((await lastSync()).failed).toMatchObject([{ entity: 'sync', reason }]);
  });

  it('is not logged as an error when the console refused access or the sync was stopped', async () => {
    const logged = logOf(services);
    console_.failures = { test: new ConnectorError('wrong-credentials', 'The API key was refused.') };
    await sync();
    later(5);
    console_.failures = {};
    const stop = new AbortController();
    console_.beforeRange = () => stop.abort();
    await sync(stop.signal);
    expect((await lastSync()).failed).toMatchObject([
      { entity: 'sync', reason: expect.stringMatching(/^It was stopped/) },
    ]);
    expect(logged()).toEqual([]);
  });

  it('is not listed for users who see only some companies', async () => {
    console_.companies = [{ failed: { entity: 'company', externalId: 'x', reason: 'of another company' } }];
    await sync();
    const limited = await portal.as('operator', { companyIds: [await buildCompany(portal.database)] });
    expect(await limited.call(getLastSync, {})).toMatchObject({ status: 'PARTIAL', failed: [] });
  });
});

describe('jobs', () => {
  it('are marked as removed, and restored when they return', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' }), writtenJob({ externalId: 'b' })];
    await sync();
    later(5);
    console_.jobs = [writtenJob({ externalId: 'a' })];
    await sync();
    expect((await jobs()).map((job) => job.removed_at === null)).toEqual([true, false]);
    later(5);
    console_.jobs = [writtenJob({ externalId: 'a' }), writtenJob({ externalId: 'b' })];
    await sync();
    expect((await jobs()).map((job) => job.removed_at === null)).toEqual([true, true]);
  });

  it('that vanish nearly all at once raise a notification until they return or a week has passed', async () => {
    const all = Array.from({ length: 12 }, (_, place) => writtenJob({ externalId: `job ${place}` }));
    const reported = async () => {
      const admin = await portal.as('admin');
      return (await admin.call(listNotifications, { body: { userId: admin.userId } })).data.map(
        ({ message }) => message,
      );
    };
    const listed = async (jobs: typeof all, minutesLater: number) => {
      console_.jobs = jobs;
      later(minutesLater);
      await sync();
    };
    await listed(all, 5);
    await listed(all.slice(9), 5);
    expect(await reported()).toEqual([]);
    await listed(all.slice(10), 5);
    expect(await reported()).toEqual([
      '10 jobs have disappeared from source "A console" and are no longer monitored. If they were not deleted there, check the permissions of the account this portal uses.',
    ]);
    await listed(all, 5);
    expect(await reported()).toEqual([]);
    await listed([], 5);
    expect(await reported()).toEqual([expect.stringMatching(/^12 jobs have disappeared/)]);
    await listed([], 7 * 24 * 60 + 1);
    expect(await reported()).toEqual([]);
  });

  it('do not inherit the runs of a removed job of the same name', async () => {
    const ranAt = daysAgo(0.05);
    console_.jobs = [writtenJob({ externalId: 'first', name: 'Nightly' })];
    console_.executions = [writtenExecution('first', ranAt)];
    await sync();
    console_.jobs = [writtenJob({ externalId: 'second', name: 'Nightly' })];
    const since = new Date(TEST_NOW.getTime() + 600_000);
    console_.executions = [
      writtenExecution('second', ranAt),
      writtenExecution('second', daysAgo(0.01)),
      writtenExecution('second', since, { origin: 'last-run' }),
    ];
    portal.clock.now = new Date(TEST_NOW.getTime() + 900_000);
    await sync();
    expect(await startsOf('first')).toEqual([ranAt, daysAgo(0.01)].map((at) => at.toISOString()));
    expect(await startsOf('second')).toEqual([since.toISOString()]);
    expect(await rows(portal.database, sql`select is_doubtful from job_executions order by started_at`)).toEqual(
      [false, true, false].map((isDoubtful) => ({ is_doubtful: isDoubtful })),
    );
  });

  it('are not marked as removed when some could not be identified', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' }), writtenJob({ externalId: 'b' })];
    await sync();
    later(5);
    console_.jobs = [writtenJob({ externalId: 'a' }), { failed: { entity: 'job', externalId: null, reason: 'no id' } }];
    await sync();
    expect((await jobs()).every((job) => job.removed_at === null)).toBe(true);
  });

  it('never use the id of another source’s job', async () => {
    console_.jobs = [writtenJob({ externalId: UUID })];
    await sync();
    sourceId = await insertSource(portal);
    await sync();
    const ids = (await jobs()).map((job) => job.job_instance_uid);
    expect(new Set(ids).size).toBe(2);
    expect(ids).toContain(UUID);
  });

  it('stay overdue when the console already shows the next run', async () => {
    const nextRunAt = new Date(TEST_NOW.getTime() + 3_600_000);
    console_.jobs = [writtenJob({ externalId: 'a', intervalMs: null, nextRunAt })];
    await sync();
    const [planned] = await jobs();
    expect(planned?.overdue_at).toBe(new Date(nextRunAt.getTime() + 12 * 3_600_000).toISOString());
    later(26 * 60);
    console_.jobs = [
      writtenJob({ externalId: 'a', intervalMs: null, nextRunAt: new Date(nextRunAt.getTime() + 2 * DAY_MS) }),
    ];
    await sync();
    expect((await jobs())[0]?.overdue_at).toBe(planned?.overdue_at);
  });

  it('do not miss runs while they are switched off', async () => {
    console_.jobs = [writtenJob({ externalId: 'a', isEnabled: false })];
    console_.executions = [writtenExecution('a', daysAgo(20))];
    await sync();
    later(5);
    console_.jobs = [writtenJob({ externalId: 'a' })];
    await sync();
    const [job] = await jobs();
    expect(Date.parse(job?.overdue_at ?? '')).toBeGreaterThan(TEST_NOW.getTime());
  });
});

describe('companies', () => {
  it('that were created manually are not merged with others of the same name', async () => {
    const byHand = await buildCompany(portal.database, { name: 'Acme' });
    await sync();
    const found = await rows(
      portal.database,
      sql`select c.id, l.external_id from companies c left join company_links l on l.company_id = c.id where c.name = 'Acme' order by l.external_id nulls first`,
    );
    expect(found).toMatchObject([{ id: byHand, external_id: null }, { external_id: 'acme' }]);
  });

  it('that were given the console’s id manually are those of the console', async () => {
    const byHand = await buildCompany(portal.database, { name: 'Old name', vacId: 'acme', connectionId: sourceId });
    console_.jobs = [writtenJob({ externalId: 'a' })];
    await sync();
    expect(await jobs()).toMatchObject([{ company_id: byHand }]);
    expect(await rows(portal.database, sql`select name from companies`)).toEqual([{ name: 'Acme' }]);
  });

  const oneCompany = async () => {
    const found = await row<{ id: string }>(portal.database, sql`select company_id as id from company_links`);
    if (found === null) throw new Error('The sync has linked no company.');
    return found.id;
  };
  const asReported = { name: 'Acme', isActive: true, isManaged: true };

  it('that a user has unlinked stay unlinked, and what the console reports for them belongs to no company', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    const unknown = {
      kind: null,
      serverName: null,
      path: null,
      status: null,
      capacityBytes: 1,
      freeBytes: 1,
      usedBytes: 0,
    };
    console_.repositories = [{ value: { externalId: 'r', name: 'Vault', companyExternalId: 'acme', ...unknown } }];
    const system = { fqdn: null, operatingSystem: null, platform: null, ipAddresses: [], lastSeenAt: null };
    const agent = { status: null, agentInstallationStatus: null, agentManagementStatus: null };
    console_.computers = [
      { value: { externalId: 'c', companyExternalId: 'acme', hostName: 'PC', ...system, ...agent } },
    ];
    await syncByHand();
    const id = await oneCompany();
    const admin = await portal.as('admin');
    await admin.call(editCompany, { params: { id }, body: { ...asReported, name: 'Named by hand', links: [] } });
    later(5);
    await syncByHand();
    expect((await admin.call(getCompany, { params: { id } })).data).toMatchObject({ name: 'Named by hand', links: [] });
    expect(await rows(portal.database, sql`select name from companies`)).toEqual([{ name: 'Named by hand' }]);
    const reported = sql`select company_id from jobs union all select company_id from repositories union all select company_id from computers`;
    expect(await rows(portal.database, reported)).toEqual(Array(3).fill({ company_id: null }));
  });

  it('that a user has moved to another company stay there, with what the console reports for them from then on', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    await sync();
    const before = await oneCompany();
    const id = await buildCompany(portal.database, { name: 'The right one' });
    const admin = await portal.as('admin');
    const links = [{ connectionId: sourceId, externalId: 'acme', movesFrom: before }];
    await admin.call(editCompany, { params: { id }, body: { ...asReported, name: 'The right one', links } });
    later(5);
    await sync();
    expect(await jobs()).toMatchObject([{ company_id: id }]);
    expect((await admin.call(getCompany, { params: { id: before } })).data.links).toEqual([]);
    expect(await rows(portal.database, sql`select from companies`)).toHaveLength(2);
  });

  it('have the e-mail and phone that a user entered, and otherwise those of the console', async () => {
    const contact = () => row(portal.database, sql`select email, phone from companies`);
    const reports = (email: string, phone: string) => {
      console_.companies = [{ value: { ...ACME_COMPANY, email, phone } }];
      later(5);
      return sync();
    };
    await reports('one@acme.test', '1');
    const id = await oneCompany();
    const body = { ...asReported, email: 'ours@acme.test', phone: '1' };
    await (await portal.as('admin')).call(editCompany, { params: { id }, body });
    await reports('two@acme.test', '2');
    expect(await contact()).toEqual({ email: 'ours@acme.test', phone: '2' });
  });

  it('of two consoles of one vendor are different, also with the same id', async () => {
    await sync();
    sourceId = await insertSource(portal);
    console_.companies = [{ value: { ...ACME_COMPANY, name: 'Acme of the second' } }];
    await sync();
    expect(await rows(portal.database, sql`select name from companies order by name`)).toEqual([
      { name: 'Acme' },
      { name: 'Acme of the second' },
    ]);
  });

  it('are the same when their console is disconnected and connected again', async () => {
    await sync();
    await removeSource(portal.database, 1, sourceId, portal.clock.now);
    sourceId = await insertSource(portal);
    console_.companies = [{ value: { ...ACME_COMPANY, name: 'Acme Ltd.' } }];
    console_.jobs = [writtenJob({ externalId: 'a' })];
    await sync();
    const found = await rows<{ id: string; name: string }>(portal.database, sql`select id, name from companies`);
    expect(found).toMatchObject([{ name: 'Acme Ltd.' }]);
    const connected = await rows(portal.database, sql`select company_id from jobs where source_id = ${sourceId}`);
    expect(connected).toEqual([{ company_id: found[0]?.id }]);
  });

  it('are back when a console reports them that were removed', async () => {
    await sync();
    await execute(portal.database, sql`update companies set deleted_at = now()`);
    later(5);
    await sync();
    expect(await rows(portal.database, sql`select name, deleted_at from companies`)).toEqual([
      { name: 'Acme', deleted_at: null },
    ]);
  });

  it('remain assigned to their jobs when they cannot be read', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    await sync();
    const [before] = await jobs();
    later(5);
    console_.companies = [{ failed: { entity: 'company', externalId: 'acme', reason: 'x' } }];
    await sync();
    expect((await jobs())[0]?.company_id).toBe(before?.company_id);
  });
});

describe('runs of the history', () => {
  it('that match no job are listed separately until they match one', async () => {
    const unknown = writtenExecution(null, daysAgo(1), { externalId: 'session 1', message: 'x' });
    console_.executions = [unknown];
    await sync();
    const unmatched = () => rows(portal.database, sql`select external_id, job_name from unmatched_runs`);
    expect(await unmatched()).toEqual([{ external_id: 'session 1', job_name: 'Of no job' }]);
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [writtenExecution('a', TEST_NOW, { externalId: 'session 1' })];
    later(5);
    await sync();
    expect(await unmatched()).toEqual([]);
  });

  it('that match a job doubtfully are marked', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [writtenExecution('a', daysAgo(1), { match: 'doubtful' })];
    await sync();
    expect(await executions()).toMatchObject([{ is_doubtful: true }]);
  });

  it('that are impossible are listed with the rejection reason', async () => {
    console_.jobs = [writtenJob({ externalId: 'a' })];
    console_.executions = [writtenExecution('a', daysAgo(1), { endedAt: daysAgo(2) })];
    await sync();
    expect((await lastSync()).failed).toMatchObject([{ entity: 'execution', reason: 'it ends before it starts' }]);
  });
});

describe('the inventory', () => {
  it('is stored: repositories with their days, computers, licence usage', async () => {
    const nothing = { kind: null, serverName: null, path: null, status: null };
    const sizes = { capacityBytes: 100, freeBytes: 40, usedBytes: 60 };
    console_.repositories = [
      { value: { externalId: 'r', name: 'Vault', companyExternalId: 'acme', ...nothing, ...sizes } },
    ];
    const computer = { fqdn: null, operatingSystem: null, platform: null, status: null, agentInstallationStatus: null };
    console_.computers = [
      {
        value: {
          externalId: 'c',
          companyExternalId: 'acme',
          hostName: 'PC',
          ...computer,
          ipAddresses: ['10.0.0.1'],
          agentManagementStatus: null,
          lastSeenAt: null,
        },
      },
    ];
    const usage = {
      serverExternalId: null,
      unitType: null,
      usedCount: 3,
      usedUnits: 3,
      newUnits: null,
      rentalUnits: null,
    };
    console_.licenceUsage = [
      { value: { companyExternalId: 'acme', workload: 'VM', ...usage } },
      { value: { companyExternalId: 'gone', workload: 'VM', ...usage } },
    ];
    await sync();
    expect(await rows(portal.database, sql`select name, used_bytes from repositories`)).toEqual([
      { name: 'Vault', used_bytes: 60 },
    ]);
    expect(await rows(portal.database, sql`select day, free_bytes from repository_days`)).toEqual([
      { day: '2026-03-02', free_bytes: 40 },
    ]);
    expect(await rows(portal.database, sql`select host_name, ip_addresses from computers`)).toEqual([
      { host_name: 'PC', ip_addresses: ['10.0.0.1'] },
    ]);
    expect(await rows(portal.database, sql`select month, workload, used_count from licence_usage`)).toEqual([
      { month: '2026-03-01', workload: 'VM', used_count: 3 },
    ]);
    expect((await lastSync()).failed).toMatchObject([{ entity: 'licence usage', externalId: 'gone' }]);
    later(24 * 60);
    console_.repositories = [];
    console_.computers = [];
    await sync();
    expect(await rows(portal.database, sql`select from repositories where removed_at is not null`)).toHaveLength(1);
    expect(await rows(portal.database, sql`select from computers where removed_at is not null`)).toHaveLength(1);
  });

  const listings = ['repositories', 'computers', 'licence usage'];
  /** Returns the listings that syncs have read since the last call. */
  const listed = () => console_.reported.splice(0).filter((name) => listings.includes(name));

  it('is read once an hour, even if jobs are read more often', async () => {
    const read: string[][] = [];
    for (let minute = 0; minute <= 120; minute += 20) {
      await sync();
      read.push(listed());
      later(20);
    }
    expect(read).toEqual([listings, [], [], listings, [], [], listings]);
  });

  it('is read at once when a user requests a sync, and again an hour later', async () => {
    await sync();
    later(5);
    listed();
    await syncByHand();
    expect(listed()).toEqual(listings);
    later(56);
    await sync();
    expect(listed()).toEqual([]);
    later(4);
    await sync();
    expect(listed()).toEqual(listings);
  });

  it('has a failed listing, and no other, read again by the next sync, and stays on the list of failures', async () => {
    console_.failures = { computers: new ConnectorError('throttled', 'Wait.') };
    for (const again of [listings, ['computers']]) {
      await sync();
      expect(listed()).toEqual(again);
      expect(await lastSync()).toMatchObject({ status: 'PARTIAL', failed: [{ entity: 'computers', reason: 'Wait.' }] });
      later(5);
    }
    console_.failures = {};
    await sync();
    expect(listed()).toEqual(['computers']);
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED', failed: [] });
    later(5);
    await sync();
    expect(listed()).toEqual([]);
  });

  it('is read once an hour also when single entities fail, which stay on the list of failures', async () => {
    const bad = { entity: 'computer', externalId: 'c', reason: 'has no name' };
    console_.jobs = [{ failed: { entity: 'job', externalId: 'j', reason: 'for once' } }];
    console_.computers = [{ failed: bad }];
    await sync();
    console_.jobs = [];
    expect(listed()).toEqual(listings);
    for (let minute = 20; minute <= 60; minute += 20) {
      later(20);
      await sync();
      expect(listed()).toEqual(minute < 60 ? [] : listings);
      const { status, failed } = await lastSync();
      expect({ status, failed }).toMatchObject({ status: 'PARTIAL', failed: [bad] });
      expect(failed).toHaveLength(1);
    }
    console_.computers = [];
    later(60);
    await sync();
    expect(await lastSync()).toMatchObject({ status: 'SUCCEEDED', failed: [] });
  });

  it('has unlisted failures counted until it is read again', async () => {
    console_.computers = Array.from({ length: 250 }, (_, index) => ({
      failed: { entity: 'computer', externalId: String(index), reason: 'has no name' },
    }));
    await sync();
    later(20);
    await sync();
    const last = sql`select failed_count as count, jsonb_array_length(failed) as listed from sync_runs order by started_at desc limit 1`;
    expect(await row(portal.database, last)).toEqual({ count: 250, listed: 200 });
  });

  it('is stored separately for each source', async () => {
    await sync();
    sourceId = await insertSource(portal);
    later(5);
    listed();
    await sync();
    expect(listed()).toEqual(listings);
  });
});
