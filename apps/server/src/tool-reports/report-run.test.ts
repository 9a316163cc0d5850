import { createIntakeToken, reportRun } from '@keepwatch/contract/tool-reports/tool-reports';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows, transaction } from '../foundation/database.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import { buildCompany } from '../testing/builders.ts';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let token: string;

beforeAll(async () => {
  portal = await startTestPortal();
  const admin = await portal.as('admin');
  const companyId = await buildCompany(portal.database);
  ({ token } = await admin.call(createIntakeToken, { body: { name: 'Backup of the office', companyId } }));
});
afterAll(() => portal.stop());

/** Returns one run of each job. */
const runsOf = (...jobs: string[]) =>
  jobs.map((job) => ({ job, startedAt: '2026-03-02T06:00:00.000Z', durationMs: 60_000, result: 'Failed' }));

async function report(body: unknown) {
  const path = `/api${reportRun.path.replace('{token}', token)}`;
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

/** Makes the database refuse every new row of a table until `work` has ended. */
async function whileRefused<T>(table: string, work: () => Promise<T>): Promise<T> {
  await execute(
    portal.database,
    sql`create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  );
  const name = sql.identifier(table);
  await execute(portal.database, sql`create trigger refused before insert on ${name} execute function refuse()`);
  try {
    return await work();
  } finally {
    await execute(portal.database, sql`drop trigger refused on ${name}`);
  }
}

/** Cancels the statement that waits for a lock, as the database does after a timeout. */
async function endWait(): Promise<void> {
  const cancel = sql`select pg_cancel_backend(pid) as "isEnded" from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => row(portal.database, cancel)).toEqual({ isEnded: true });
}

describe('a report whose runs cannot be stored', () => {
  it.each(['job_executions', 'company_days'])(
    'leaves neither jobs nor runs behind when %s cannot be written, and is stored completely when sent again',
    async (table) => {
      const runs = runsOf(`${table} one`, `${table} two`);
      expect((await whileRefused(table, () => report(runs))).status).toBe(500);
      expect(await stored(table)).toEqual([]);
      expect((await report(runs)).status).toBe(200);
      expect(await stored(table)).toEqual(runs.map(({ job }) => ({ name: job, runs: 1 })));
    },
  );

  it('leaves no job behind when the lock of executions is held for too long', async () => {
    const runs = runsOf('waiting one', 'waiting two');
    const { status } = await transaction(portal.database, async (connection) => {
      await lockExecutions(connection, 1);
      const [answered] = await Promise.all([report(runs), endWait()]);
      return answered;
    });
    expect(status).toBe(503);
    expect(await stored('waiting')).toEqual([]);
    expect((await report(runs)).status).toBe(200);
    expect(await stored('waiting')).toEqual(runs.map(({ job }) => ({ name: job, runs: 1 })));
  });
});

it('accepts concurrent reports that create the same jobs in any order', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `crowd ${index}`);
  const sent = [names, [...names].reverse(), names, [...names].reverse()];
  const answers = await Promise.all(sent.map((jobs) => report(runsOf(...jobs))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await stored('crowd')).map(({ runs }) => runs)).toEqual(names.map(() => 1));
});
