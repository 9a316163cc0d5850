import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import { listDidntRun } from '@keepwatch/contract/insights/insights';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { rows } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { rollupsAndRecount } from '../ingest/recount.fixture.ts';
import {
  connectWrittenSource,
  manifestOf,
  servicesOf,
  type WrittenSource,
  writtenExecution,
  writtenJob,
} from '../sources/intake.fixture.ts';
import { syncSource } from '../sources/sync/sync.ts';
import { buildJob, buildSource } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { findMissedRuns } from './missed-runs.ts';
import { findStalledReporters } from './stalled-jobs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let portal: TestPortal;
let console_: WrittenSource;
let sourceId: string;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(begin);

async function begin(): Promise<void> {
  await portal.database.query(
    'truncate sources, sync_runs, companies, jobs, job_executions, job_days, company_days, provider_days cascade',
  );
  ({ source: console_, sourceId } = await connectWrittenSource(portal));
}

function daysAgo(days: number): Date {
  return new Date(TEST_NOW.getTime() - days * DAY_MS);
}

/** Syncs the source and then searches for missed runs. */
async function sync(): Promise<void> {
  const services = servicesOf(portal, async () => manifestOf(console_));
  await syncSource(services, { sourceId, isRequested: false }, new AbortController().signal);
  await findMissedRuns(portal.database, portal.clock.now);
}

type ReportedJob = Partial<Parameters<typeof writtenJob>[0]>;

/** Adds a job of which the console reports only the next run, as seen from now, and its runs so many days ago. */
function nightly(externalId: string, ranDaysAgo: readonly number[], given: ReportedJob = {}): void {
  const reported = { scheduleType: null, intervalMs: null, nextRunAt: daysAgo(-0.6), ...given };
  console_.jobs.push(writtenJob({ externalId, ...reported }));
  console_.executions.push(...ranDaysAgo.map((days) => writtenExecution(externalId, daysAgo(days))));
}

function nights(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index + 0.2);
}

/** Returns how many days ago the job's missed runs were expected, oldest first. */
async function missedDaysAgo(externalId: string): Promise<number[]> {
  const missed = await rows<{ at: string }>(
    portal.database,
    sql`select e.started_at as at from job_executions e join jobs j using (provider_id, job_instance_uid)
        where j.external_id = ${externalId} and e.result = 'DidntRun' order by 1`,
  );
  return missed.map(({ at }) => (TEST_NOW.getTime() - Date.parse(at)) / DAY_MS);
}

async function panel(): Promise<[string, string | null][]> {
  const { data } = await (await portal.as('admin')).call(listDidntRun, {});
  return data.map((job) => [job.jobName, job.lastStartedAt]);
}

describe('a job that died before the first sync', () => {
  it('has missed every slot since its last run, and is shown in the panel', async () => {
    nightly('dead', nights(19, 10));
    nightly('alive', nights(19, 0));
    await sync();
    expect(await missedDaysAgo('dead')).toEqual([9.2, 8.2, 7.2, 6.2, 5.2, 4.2, 3.2, 2.2, 1.2]);
    expect(await missedDaysAgo('alive')).toEqual([]);
    expect(await panel()).toEqual([['dead', daysAgo(10.2).toISOString()]]);
    const { stored, counted } = await rollupsAndRecount(portal.database);
    expect(stored).toEqual(counted);
  });

  it('is found even when all its runs ended with a warning', async () => {
    console_.jobs.push(
      writtenJob({ externalId: 'dead', scheduleType: null, intervalMs: null, nextRunAt: daysAgo(-1) }),
    );
    console_.executions = nights(19, 10).map((days) => writtenExecution('dead', daysAgo(days), { result: 'Warning' }));
    await sync();
    expect(await missedDaysAgo('dead')).toHaveLength(9);
  });

  it('is found once: another sync changes nothing, and the next night adds one missed run', async () => {
    nightly('dead', nights(19, 10));
    await sync();
    const everything = () =>
      Promise.all(
        ['jobs', 'job_executions', 'job_days', 'company_days', 'provider_days'].map((table) =>
          rows(portal.database, sql`select xmin, * from ${sql.identifier(table)} order by 3, 4`),
        ),
      );
    const before = await everything();
    portal.clock.now = daysAgo(-1 / 24);
    await sync();
    expect(await everything()).toEqual(before);
    portal.clock.now = daysAgo(-1);
    console_.jobs = [];
    nightly('dead', [], { nextRunAt: daysAgo(-1.6) });
    await sync();
    expect((await missedDaysAgo('dead')).slice(-2)).toEqual([1.2, 0.2].map((days) => expect.closeTo(days, 6)));
  });

  it('is no longer in the panel after its next run, and its missed runs stay', async () => {
    nightly('back', nights(19, 10));
    await sync();
    const missed = await missedDaysAgo('back');
    portal.clock.now = daysAgo(-1 / 24);
    console_.executions.push(writtenExecution('back', daysAgo(-0.5 / 24)));
    await sync();
    expect(await panel()).toEqual([]);
    expect(await missedDaysAgo('back')).toEqual(missed);
  });

  it('is not reported when it rests at weekends, was switched off, or runs monthly', async () => {
    const workDays = nights(40, 3).filter((days) => ![0, 6].includes(daysAgo(days).getUTCDay()));
    nightly('rests', workDays);
    nightly('off', nights(19, 10), { isEnabled: false, scheduleType: 'Disabled', nextRunAt: null });
    nightly('monthly', nights(19, 10), { scheduleType: 'Monthly' });
    await sync();
    expect(await rows(portal.database, sql`select from job_executions where result = 'DidntRun'`)).toEqual([]);
    expect(await panel()).toEqual([]);
  });

  it('is found only once everything after its last run was read', async () => {
    nightly('dead', nights(40, 30));
    console_.beforeRange = ({ from, to }) => {
      if (from <= daysAgo(15) && to > daysAgo(15)) throw new ConnectorError('not-reachable', 'Not this one.');
    };
    await sync();
    expect(await panel()).toEqual([]);
    console_.beforeRange = () => {};
    portal.clock.now = daysAgo(-1 / 24);
    await sync();
    expect((await panel()).map(([name]) => name)).toEqual(['dead']);
  });

  it('is due for the same slot as one whose interval is reported', async () => {
    const history = fc.record({
      hours: fc.constantFrom(1, 4, 12, 24, 72, 120),
      runs: fc.integer({ min: 4, max: 20 }),
      stalledTenths: fc.integer({ min: 1, max: 80 }),
    });
    let stalled = 0;
    await fc.assert(
      fc.asyncProperty(history, async ({ hours, runs, stalledTenths }) => {
        await begin();
        const ran = Array.from({ length: runs }, (_, index) => ((stalledTenths / 10 + index) * hours) / 24);
        const next = daysAgo((((stalledTenths / 10) % 1) - 1) * (hours / 24));
        nightly('guessed', ran, { nextRunAt: next });
        nightly('reported', ran, { intervalMs: hours * HOUR_MS, nextRunAt: next });
        await sync();
        const due = await rows<{ expected_at: string; isOverdue: boolean }>(
          portal.database,
          sql`select expected_at, overdue_at < ${TEST_NOW} as "isOverdue" from jobs order by external_id`,
        );
        expect(due[0]?.isOverdue).toBe(due[1]?.isOverdue);
        if (due[0]?.isOverdue !== true) return;
        stalled += 1;
        expect(due[0]).toEqual(due[1]);
        expect((await missedDaysAgo('guessed'))[0]).toBe((await missedDaysAgo('reported'))[0]);
      }),
      { numRuns: tries(12, 60), endOnFailure: true },
    );
    expect(stalled).toBeGreaterThan(2);
  }, 300_000);
});

describe('a job of a console that was unreachable', () => {
  it('is found when it died meanwhile', async () => {
    portal.clock.now = daysAgo(12);
    nightly('died', nights(30, 12), { nextRunAt: daysAgo(11.2) });
    await sync();
    portal.clock.now = TEST_NOW;
    console_.jobs = [];
    nightly('died', nights(11, 6), { nextRunAt: daysAgo(-0.8) });
    await sync();
    expect(await missedDaysAgo('died')).toEqual([5.2, 4.2, 3.2, 2.2, 1.2]);
    expect((await panel()).map(([name]) => name)).toEqual(['died']);
  });

  it('is due when its console says if its last run was observed: it runs less often now', async () => {
    portal.clock.now = daysAgo(3);
    nightly('seldom', nights(30, 3), { nextRunAt: daysAgo(-4) });
    await sync();
    portal.clock.now = TEST_NOW;
    await sync();
    expect(await missedDaysAgo('seldom')).toEqual([]);
    expect(await panel()).toEqual([]);
  });
});

describe('a job that a tool reports, and that never succeeds without a warning', () => {
  /** Builds a job that was reported each night up to some days ago. */
  async function reported(result: 'Warning' | 'Failed', untilDaysAgo: number): Promise<string> {
    const job = await buildJob(portal.database, {
      sourceId: await buildSource(portal.database, { kind: 'intake', historyReadTo: null }),
    });
    const runs = nights(40, untilDaysAgo).map((days) => {
      const startedAt = daysAgo(days);
      return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt: new Date(startedAt.getTime() + 60_000), result };
    });
    await ingestRuns(portal.database, 1, runs, TEST_NOW);
    return job.jobInstanceUid;
  }

  it.each(['Warning', 'Failed'] as const)('is found by the cadence of all its runs: %s', async (result) => {
    const uid = await reported(result, 3);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
    expect(await findStalledReporters(portal.database, TEST_NOW)).toBe(2);
    expect(await missedDaysAgo(uid)).toEqual([2.2, 1.2].map((days) => expect.closeTo(days)));
    expect(await panel()).toHaveLength(1);
    expect(await findStalledReporters(portal.database, TEST_NOW)).toBe(0);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
    expect(await findStalledReporters(portal.database, daysAgo(-1))).toBe(1);
    expect(await findMissedRuns(portal.database, daysAgo(-1))).toBe(0);
    const { stored, counted } = await rollupsAndRecount(portal.database);
    expect(stored).toEqual(counted);
  });

  it('is not reported as missed while it runs', async () => {
    await reported('Warning', 0);
    expect(await findStalledReporters(portal.database, TEST_NOW)).toBe(0);
    expect(await panel()).toEqual([]);
  });
});
