import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { listenForEvents } from '../foundation/events.ts';
import { openLog } from '../foundation/log.ts';
import { newId } from '../foundation/secrets.ts';
import { executionId } from '../runs/execution-id.ts';
import { BYTES_MAX, FILES_MAX, type NewRun } from '../runs/new-run.ts';
import { type BuiltJob, buildExecution, buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { ingestRuns } from './ingest-runs.ts';
import { rollupsAndRecount } from './recount.fixture.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let portal: TestPortal;
let job: BuiltJob;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

/** A run that started so many minutes before now. */
function run(minutesAgo: number, given: Partial<NewRun> = {}): NewRun {
  const startedAt = new Date(TEST_NOW.getTime() - minutesAgo * MINUTE_MS);
  const endedAt = new Date(startedAt.getTime() + 5 * MINUTE_MS);
  return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt, result: 'Success', ...given };
}

function ingest(...executions: NewRun[]) {
  return ingestRuns(portal.database, 1, executions, TEST_NOW);
}

interface Row {
  id: string;
  result: string;
  state: string;
  attempts: number;
  started_at: string;
  ended_at: string | null;
  message: string | null;
  transferred_bytes: number | null;
  anomalies: string[];
  changed_by: string | null;
  notes: { content: string }[] | null;
  changed_by_name: string | null;
  changed_at: string | null;
}

function stored(): Promise<Row[]> {
  return rows<Row>(
    portal.database,
    sql`select * from job_executions where job_instance_uid = ${job.jobInstanceUid} order by started_at`,
  );
}

/** Changes an execution as a person does. */
async function work(id: string, state: string, note: string | null = null): Promise<string> {
  const userId = newId();
  const content = note === null ? null : JSON.stringify([{ content: note }]);
  await execute(
    portal.database,
    sql`update job_executions set state = ${state}::execution_state, changed_by = ${userId}, changed_by_name = 'anna', changed_at = ${TEST_NOW}, notes = ${content} where id = ${id}`,
  );
  return userId;
}

describe('an ingested run', () => {
  it('has an id made of provider, job and start, and is resolved when nothing is odd about it', async () => {
    job = await buildJob(portal.database);
    const ingested = await ingest(run(60, { transferredBytes: 5, message: 'Fine' }));
    expect(ingested).toEqual({ added: 1, changed: 0, refused: [] });
    const startedAt = new Date(TEST_NOW.getTime() - HOUR_MS);
    expect(await stored()).toMatchObject([
      { id: executionId(1, job.jobInstanceUid, startedAt), state: 'resolved', attempts: 1, transferred_bytes: 5 },
    ]);
  });

  it.each(['Failed', 'Warning', 'Running'] as const)('is pending when its result is %s', async (result) => {
    job = await buildJob(portal.database);
    await ingest(run(60, result === 'Running' ? { result, endedAt: null } : { result }));
    expect(await stored()).toMatchObject([{ result, state: 'pending' }]);
  });

  it('updates its job: last run, last success, and when the next one is overdue', async () => {
    job = await buildJob(portal.database, { intervalMs: 24 * HOUR_MS });
    await ingest(run(120), run(60, { result: 'Failed' }));
    const [, last] = await stored();
    expect(
      await row(portal.database, sql`select * from jobs where job_instance_uid = ${job.jobInstanceUid}`),
    ).toMatchObject({
      last_execution_id: last?.id,
      last_result: 'Failed',
      last_success_at: new Date(TEST_NOW.getTime() - 115 * MINUTE_MS).toISOString(),
      overdue_at: new Date(TEST_NOW.getTime() - HOUR_MS + 36 * HOUR_MS).toISOString(),
    });
  });

  it('is no longer the last success of its job when it turns out to have failed', async () => {
    job = await buildJob(portal.database);
    await ingest(run(600), run(300), run(60));
    await ingest(run(60, { result: 'Failed' }));
    const jobState = () =>
      row(portal.database, sql`select last_success_at from jobs where job_instance_uid = ${job.jobInstanceUid}`);
    expect(await jobState()).toEqual({ last_success_at: new Date(TEST_NOW.getTime() - 295 * MINUTE_MS).toISOString() });
    await ingest(run(600, { result: 'Failed' }), run(300, { result: 'Failed' }));
    expect(await jobState()).toEqual({ last_success_at: null });
  });

  it('does not change the last run of its job when it is older', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60));
    await ingest(run(600, { result: 'Failed' }));
    expect(
      await row(portal.database, sql`select * from jobs where job_instance_uid = ${job.jobInstanceUid}`),
    ).toMatchObject({
      last_result: 'Success',
      last_started_at: new Date(TEST_NOW.getTime() - HOUR_MS).toISOString(),
    });
  });

  it('is announced once per batch, and only when something changed', async () => {
    job = await buildJob(portal.database);
    const events = await listenForEvents(portal.databaseUrl, openLog('silent', 'test'));
    const heard: string[] = [];
    const first = new Promise<void>((resolve) => events.subscribe(() => resolve()));
    events.subscribe((event) => heard.push(event.name));
    await ingest(run(60), run(50));
    await ingest(run(60), run(50));
    await first;
    // The connection hears in the order of the commits: what the second batch said would be there before this.
    const mark = new Promise<void>((resolve) =>
      events.subscribe((event) => event.name === 'sync.changed' && resolve()),
    );
    await portal.database.query(`select pg_notify('keepwatch_live', '{"name":"sync.changed","providerId":1}')`);
    await mark;
    await events.stop();
    expect(heard).toEqual(['executions.changed', 'sync.changed']);
  });
});

describe('a run that is reported again', () => {
  it('gets its result and state when it was running', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { result: 'Running', endedAt: null }));
    const ingested = await ingest(run(60, { transferredBytes: 7 }));
    expect(ingested).toMatchObject({ added: 0, changed: 1 });
    expect(await stored()).toMatchObject([{ result: 'Success', state: 'resolved', transferred_bytes: 7 }]);
  });

  it.each(['resolved', 'ignored', 'in-progress'])(
    'is pending when it failed after a person set it to %s while it was running',
    async (state) => {
      job = await buildJob(portal.database);
      await ingest(run(60, { result: 'Running', endedAt: null }));
      const [running] = await stored();
      await work(running?.id ?? '', state, 'takes long');
      await ingest(run(60, { result: 'Failed' }));
      expect(await stored()).toMatchObject([
        {
          result: 'Failed',
          state: 'pending',
          changed_by: null,
          changed_by_name: null,
          changed_at: null,
          ignored_until: null,
          notes: [{ content: 'takes long' }],
        },
      ]);
    },
  );

  it('does not go back to running', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60));
    expect(await ingest(run(60, { result: 'Running', endedAt: null }))).toMatchObject({ added: 0, changed: 0 });
    expect(await stored()).toMatchObject([{ result: 'Success' }]);
  });

  it('retains values that the newer report does not include', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { transferredBytes: 7, isDoubtful: true }));
    await ingest(run(60, { message: 'Now with a message', isDoubtful: false }));
    expect(await stored()).toMatchObject([{ transferred_bytes: 7, message: 'Now with a message', is_doubtful: false }]);
  });

  it('is the same run when its start is reported some seconds off', async () => {
    job = await buildJob(portal.database);
    const exact = run(60);
    await ingest(exact);
    await ingest({ ...exact, startedAt: new Date(exact.startedAt.getTime() - 5_000) });
    expect(await stored()).toHaveLength(1);
  });

  it('never overwrites what a person changed after it had ended', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { result: 'Warning' }));
    const [ended] = await stored();
    const userId = await work(ended?.id ?? '', 'in-progress', 'On it');
    await ingest(run(60, { result: 'Failed', message: 'Disk full' }));
    expect(await stored()).toMatchObject([
      {
        result: 'Failed',
        message: 'Disk full',
        state: 'in-progress',
        changed_by: userId,
        changed_by_name: 'anna',
        changed_at: TEST_NOW.toISOString(),
        notes: [{ content: 'On it' }],
      },
    ]);
  });

  it('does not overwrite a state that another process has set', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { result: 'Failed' }));
    await execute(
      portal.database,
      sql`update job_executions set state = 'ignored' where job_instance_uid = ${job.jobInstanceUid}`,
    );
    await ingest(run(60));
    expect(await stored()).toMatchObject([{ result: 'Success', state: 'ignored' }]);
  });
});

describe('retries', () => {
  it('collapse into one run that ends as the last attempt did', async () => {
    job = await buildJob(portal.database);
    await ingest(
      run(60, { result: 'Failed', message: 'Busy' }),
      run(45, { result: 'Failed', message: 'Busy again' }),
      run(30, { transferredBytes: 9 }),
    );
    const [only, ...others] = await stored();
    expect(others).toEqual([]);
    expect(only).toMatchObject({ attempts: 3, result: 'Success', state: 'resolved', transferred_bytes: 9 });
    expect(only?.started_at).toBe(new Date(TEST_NOW.getTime() - HOUR_MS).toISOString());
    expect(only?.ended_at).toBe(new Date(TEST_NOW.getTime() - 25 * MINUTE_MS).toISOString());
    const log = await row<{ attempts: unknown[] }>(
      portal.database,
      sql`select attempts from job_execution_logs where execution_id = ${only?.id}`,
    );
    expect(log?.attempts).toMatchObject([
      { result: 'Failed', message: 'Busy' },
      { message: 'Busy again' },
      { result: 'Success' },
    ]);
  });

  it('collapse when the attempt before them was ingested earlier', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { result: 'Failed' }));
    expect(await stored()).toMatchObject([{ state: 'pending' }]);
    await ingest(run(45));
    expect(await stored()).toMatchObject([{ attempts: 2, result: 'Success', state: 'resolved' }]);
  });

  it('are recognized when each of them is reported again', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { result: 'Failed' }), run(45));
    expect(await ingest(run(45))).toMatchObject({ added: 0, changed: 0 });
    expect(await ingest(run(60, { result: 'Failed' }))).toMatchObject({ added: 0, changed: 0 });
  });

  it('stay runs of their own when the attempt before succeeded', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60), run(50));
    expect(await stored()).toHaveLength(2);
  });

  it('stay runs of their own when they begin more than 15 minutes after the failed one ended', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { result: 'Failed' }), run(39));
    expect(await stored()).toHaveLength(2);
  });

  it('carry what a person did on a later attempt over to the run when the first attempt is reported late', async () => {
    job = await buildJob(portal.database);
    await ingest(run(45, { result: 'Failed' }));
    const [alone] = await stored();
    const userId = await work(alone?.id ?? '', 'resolved', 'Seen');
    await ingest(run(60, { result: 'Failed' }));
    expect(await stored()).toMatchObject([
      {
        attempts: 2,
        state: 'resolved',
        changed_by: userId,
        changed_by_name: 'anna',
        changed_at: TEST_NOW.toISOString(),
        notes: [{ content: 'Seen' }],
      },
    ]);
  });

  it('join the notes of all attempts, also where a person has worked on each of them', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { result: 'Failed' }), run(30, { result: 'Failed' }));
    const [first, second] = await stored();
    expect(second).toBeDefined();
    await work(first?.id ?? '', 'in-progress', 'Of the first');
    await work(second?.id ?? '', 'resolved', 'Of the last');
    await ingest(run(45, { result: 'Failed' }));
    expect(await stored()).toMatchObject([
      { attempts: 3, state: 'in-progress', notes: [{ content: 'Of the first' }, { content: 'Of the last' }] },
    ]);
  });

  it('do not carry over a state that was set while the later attempt ran, only the note', async () => {
    job = await buildJob(portal.database);
    await ingest(run(45, { result: 'Running', endedAt: null }));
    const [alone] = await stored();
    await work(alone?.id ?? '', 'resolved', 'Takes long');
    await ingest(run(60, { result: 'Failed' }), run(45, { result: 'Failed' }));
    expect(await stored()).toMatchObject([
      {
        attempts: 2,
        result: 'Failed',
        state: 'pending',
        changed_by: null,
        changed_by_name: null,
        changed_at: null,
        notes: [{ content: 'Takes long' }],
      },
    ]);
  });

  it('carry over a state that was set while the later attempt ran, as long as it runs', async () => {
    job = await buildJob(portal.database);
    await ingest(run(45, { result: 'Running', endedAt: null }));
    const [alone] = await stored();
    const userId = await work(alone?.id ?? '', 'in-progress');
    await ingest(run(60, { result: 'Failed' }));
    expect(await stored()).toMatchObject([
      {
        attempts: 2,
        result: 'Running',
        state: 'in-progress',
        changed_by: userId,
        changed_by_name: 'anna',
        changed_at: TEST_NOW.toISOString(),
      },
    ]);
  });

  it('are limited to four attempts: a job that fails every quarter of an hour has failed runs on all its days', async () => {
    job = await buildJob(portal.database);
    const quarters = Array.from({ length: 3 * 96 }, (_, index) => run(15 * (index + 1), { result: 'Failed' }));
    await ingest(...quarters);
    const failed = await rows<{ day: string; failed: number }>(
      portal.database,
      sql`select day, failed from job_days where job_instance_uid = ${job.jobInstanceUid} order by day`,
    );
    expect(failed.map((day) => day.failed)).toEqual([16, 24, 24, 8]);
    expect((await stored()).every(({ attempts }) => attempts === 4)).toBe(true);
  });

  it('come apart when a success becomes known between them', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { result: 'Failed' }), run(45));
    await ingest(run(53, { endedAt: new Date(TEST_NOW.getTime() - 50 * MINUTE_MS) }));
    expect(await stored()).toMatchObject([
      { attempts: 2, result: 'Success' },
      { attempts: 1, result: 'Success' },
    ]);
    const { stored: rollups, counted } = await rollupsAndRecount(portal.database);
    expect(rollups).toEqual(counted);
  });
});

describe('anomalies', () => {
  /** Twelve nights of about an hour and a gigabyte. */
  function nights(): NewRun[] {
    return Array.from({ length: 12 }, (_, night) => {
      const start = (14 - night) * 24 * 60;
      const endedAt = new Date(TEST_NOW.getTime() - (start - 60 - night) * MINUTE_MS);
      return run(start, { endedAt, transferredBytes: 1_000_000_000 + night * 10_000_000 });
    });
  }

  it('make a success pending: a tenth of the usual bytes', async () => {
    job = await buildJob(portal.database);
    await ingest(...nights(), run(60, { endedAt: TEST_NOW, transferredBytes: 90_000_000 }));
    expect((await stored()).at(-1)).toMatchObject({ result: 'Success', state: 'pending', anomalies: ['transferred'] });
  });

  it('are evaluated by the runs before, also when those are reported later', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { endedAt: TEST_NOW, transferredBytes: 90_000_000 }));
    expect(await stored()).toMatchObject([{ state: 'resolved', anomalies: [] }]);
    await ingest(...nights());
    expect((await stored()).at(-1)).toMatchObject({ state: 'pending', anomalies: ['transferred'] });
  });

  it('do not change a state that a person has set before', async () => {
    job = await buildJob(portal.database);
    await ingest(run(60, { endedAt: TEST_NOW, transferredBytes: 90_000_000 }));
    await work((await stored())[0]?.id ?? '', 'resolved');
    await ingest(...nights());
    expect((await stored()).at(-1)).toMatchObject({ state: 'resolved', anomalies: ['transferred'] });
  });

  it('come from the run alone where it contradicts itself', async () => {
    job = await buildJob(portal.database);
    await ingest(
      run(60, { restorePointCreated: false }),
      run(50, { log: [{ at: null, level: 'error', text: 'Volume D: was not read' }] }),
    );
    expect(await stored()).toMatchObject([{ anomalies: ['no-restore-point'] }, { anomalies: ['contradiction'] }]);
  });
});

describe('a run that cannot be ingested', () => {
  it('is refused with its reason, and does not stop the others', async () => {
    job = await buildJob(portal.database);
    const { added, refused } = await ingest(
      run(60),
      run(50, { jobInstanceUid: newId() }),
      run(40, { startedAt: new Date('1970-01-01T00:00:00Z') }),
      run(30, { startedAt: new Date(Number.NaN) }),
      run(20, { endedAt: new Date(TEST_NOW.getTime() - HOUR_MS) }),
      run(-60 * 48),
      run(10, { transferredBytes: -1 }),
      run(9, { durationMs: Number.POSITIVE_INFINITY }),
      run(8, { sizeBytes: 2 * BYTES_MAX }),
      run(7, { processedFiles: 2 * FILES_MAX }),
    );
    expect(added).toBe(1);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'its job is not known',
      'its start is no date, or is before the year 2000',
      'its start is no date, or is before the year 2000',
      'it ends before it starts',
      expect.stringContaining('is in the future'),
      'its transferredBytes is -1',
      expect.stringContaining('its durationMs is Infinity; no run has more than'),
      'its sizeBytes is 2000000000000000; no run has more than 1000000000000000',
      expect.stringContaining('its processedFiles is 20000000000'),
    ]);
  });

  it('belongs to another provider’s job, even with the right id', async () => {
    const theirs = await buildJob(portal.database, { providerId: 2 });
    job = theirs;
    expect((await ingest(run(60))).refused).toHaveLength(1);
    expect(await stored()).toEqual([]);
  });
});

describe('texts of sources', () => {
  it('are bounded and cleaned, and say what was cut', async () => {
    job = await buildJob(portal.database);
    const log = Array.from({ length: 700 }, (_, index) => ({
      at: TEST_NOW,
      level: 'info' as const,
      text: `line ${index}`,
    }));
    await ingest(run(60, { result: 'Failed', message: `a\u0000b\ud800${'x'.repeat(10_000)}the end`, log }));
    const [only] = await stored();
    expect(only?.message).toHaveLength(4_000);
    expect(only?.message?.startsWith('ab\ufffdxxx')).toBe(true);
    expect(only?.message?.endsWith('xxxthe end')).toBe(true);
    const storedLog = await row<{ lines: { text: string }[] }>(
      portal.database,
      sql`select lines from job_execution_logs where execution_id = ${only?.id}`,
    );
    expect(storedLog?.lines).toHaveLength(500);
    expect(storedLog?.lines.at(-1)?.text).toBe('201 more lines were left out here; the whole log is in the source.');
  });

  it('are otherwise stored unchanged, whatever they mean to a database or a browser', async () => {
    job = await buildJob(portal.database);
    const message = `'; drop table jobs; -- <script>alert(1)</script> \\N \\t \t \r\n "quoted" {a,b} $1`;
    await ingest(run(60, { result: 'Failed', message }));
    expect(await stored()).toMatchObject([{ message }]);
  });
});

it('ingests runs of a job whose rows exist although its job state has none', async () => {
  job = await buildJob(portal.database);
  await buildExecution(portal.database, job, { startedAt: new Date(TEST_NOW.getTime() - HOUR_MS), result: 'Failed' });
  expect(await ingest(run(60, { result: 'Failed', message: 'Reported again' }), run(20))).toMatchObject({ added: 1 });
  expect(await stored()).toMatchObject([{ message: 'Reported again' }, { result: 'Success' }]);
});

it('lets two batches of the same jobs wait for each other instead of failing', async () => {
  job = await buildJob(portal.database);
  const all = Array.from({ length: 50 }, (_, index) => run(1_000 - index * 10));
  const ingested = await Promise.all([ingest(...all), ingest(...[...all].reverse()), ingest(...all)]);
  expect(ingested.map(({ added }) => added).sort()).toEqual([0, 0, 50]);
});

describe('many runs', () => {
  it('are ingested in transactions of the given size, so that others get their turn in between', async () => {
    job = await buildJob(portal.database);
    const runs = Array.from({ length: 5 }, (_, index) => run((10 - index) * 60));
    expect(await ingestRuns(portal.database, 1, runs, TEST_NOW, 2)).toMatchObject({ added: 5, refused: [] });
    const transactions = await row<{ count: number }>(
      portal.database,
      sql`select count(distinct xmin::text) as count from job_executions where job_instance_uid = ${job.jobInstanceUid}`,
    );
    expect(transactions?.count).toBe(3);
  });
});
