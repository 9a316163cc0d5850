import { createIntakeToken, reportRun } from '@keepwatch/contract/tool-reports/tool-reports';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows, transaction } from '../foundation/database.ts';
import { hashOfToken } from '../foundation/secrets.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { REPORTED_JOBS_MAX } from './reported-jobs.ts';

let portal: TestPortal;
let admin: Caller;
let token: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
  token = await newToken();
});
afterAll(() => portal.stop());

async function newToken(): Promise<string> {
  const companyId = await buildCompany(portal.database);
  return (await admin.call(createIntakeToken, { body: { name: 'Machine', companyId } })).token;
}

const runOf = (job: string) => ({ job, startedAt: '2026-03-02T06:00:00.000Z', durationMs: 60_000, result: 'Success' });

async function report(body: unknown, to = token) {
  const path = `/api${reportRun.path.replace('{token}', to)}`;
  const response = await portal.anonymous.raw('POST', path, { body: JSON.stringify(body) });
  return { status: response.status, reply: await response.json() };
}

/** Reads the stored jobs whose names have a prefix, each with its number of runs. */
function stored(prefix: string) {
  return rows<{ name: string; runs: number }>(
    portal.database,
    sql`select j.name, count(e.id) as runs from jobs j left join job_executions e using (provider_id, job_instance_uid)
        where starts_with(j.name, ${prefix}) group by 1 order by 1`,
  );
}

/** Holds the lock of executions during `work`, so that reports sent meanwhile wait in one queue. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  return transaction(portal.database, async (connection) => {
    await lockExecutions(connection, 1);
    return work();
  });
}

const isWaiting = () =>
  expect
    .poll(() =>
      row(
        portal.database,
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )
    .not.toBeNull();

describe('reports that arrive at once', () => {
  it('share transactions, and each is answered with its own run', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `shared ${at}`);
    const answers = await Promise.all(names.map((name) => report(runOf(name))));
    expect(answers.map(({ status, reply }) => [status, reply.data[0].jobName])).toEqual(
      names.map((name) => [200, name]),
    );
    const found = await row<{ runs: number; transactions: number }>(
      portal.database,
      sql`select count(*) as runs, count(distinct e.xmin::text) as transactions
          from job_executions e join jobs j using (provider_id, job_instance_uid) where starts_with(j.name, 'shared ')`,
    );
    expect(found?.runs).toBe(200);
    expect(found?.transactions).toBeLessThan(50);
  });

  it('are not answered before they are committed', async () => {
    const answered: string[] = [];
    const { sent } = await whileLocked(async () => {
      const all = ['late 1', 'late 2'].map((name) => report(runOf(name)).then(() => answered.push(name)));
      await isWaiting();
      expect(answered).toEqual([]);
      expect(await stored('late ')).toEqual([]);
      return { sent: Promise.all(all) };
    });
    await sent;
    expect((await stored('late ')).map(({ runs }) => runs)).toEqual([1, 1]);
  });

  it('are stored although others of their batch are impossible, have a removed token, make too many jobs or fail', async () => {
    const [removed, full] = [await newToken(), await newToken()];
    const jobs = Array.from({ length: REPORTED_JOBS_MAX }, (_, at) => runOf(`full ${at}`));
    expect((await report(jobs, full)).status).toBe(200);
    expect((await report(runOf('before'), removed)).status).toBe(200);
    await execute(
      portal.database,
      sql`create function refuse_poison() returns trigger language plpgsql as $$ begin raise 'poison'; end $$`,
    );
    await execute(
      portal.database,
      sql`create trigger poison before insert on jobs for each row when (new.name = 'poison') execute function refuse_poison()`,
    );
    const { sent } = await whileLocked(async () => {
      const all = [
        report(runOf('first')),
        ...[1, 2, 3].map((at) => report(runOf(`neighbour ${at}`))),
        report({ ...runOf('future'), startedAt: '2031-01-01T00:00:00Z' }),
        report(runOf('revoked'), removed),
        report(runOf('one more'), full),
        report(runOf('poison')),
        ...[4, 5, 6].map((at) => report(runOf(`neighbour ${at}`))),
      ];
      await isWaiting();
      // Deleted directly, as by another process of the portal, of which this one is not notified.
      await execute(portal.database, sql`delete from intake_tokens where token_hash = ${hashOfToken(removed)}`);
      return { sent: Promise.all(all) };
    });
    const statuses = (await sent).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200, 422, 404, 409, 500, 200, 200, 200]);
    expect((await stored('neighbour ')).map(({ runs }) => runs)).toEqual([1, 1, 1, 1, 1, 1]);
    for (const name of ['future', 'revoked', 'one more', 'poison']) expect(await stored(name)).toEqual([]);
  });

  it('are all accepted from one address, in any number', async () => {
    const names = Array.from({ length: 600 }, (_, at) => `crowd ${at % 300}`);
    const tokens = [await newToken(), await newToken()];
    const answers = await Promise.all(names.map((name, at) => report(runOf(name), tokens[at % 2])));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('a token that was removed', () => {
  it('is refused from then on, even while its owner is cached', async () => {
    const removed = await newToken();
    expect((await report(runOf('known'), removed)).status).toBe(200);
    await execute(portal.database, sql`delete from intake_tokens where token_hash = ${hashOfToken(removed)}`);
    expect((await report(runOf('unknown now'), removed)).status).toBe(404);
    expect(await stored('unknown now')).toEqual([]);
  });

  it('is refused with 429 after 120 attempts of one address, which can still use known tokens', async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < 125; sent += 1) statuses.push((await report(runOf('x'), 'x'.repeat(43))).status);
    expect(statuses.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 404));
    expect(statuses.at(-1)).toBe(429);
    expect((await report(runOf('known still'))).status).toBe(200);
  });
});
