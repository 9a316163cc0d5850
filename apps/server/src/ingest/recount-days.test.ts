import { editBackupClock, getBackupClock } from '@keepwatch/contract/backup-days/backup-clock';
import { type BackupClock, dayOf, UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { providersOfUnknownZones, providersToRecount, readDayClocks } from '../backup-days/stored-clocks.ts';
import { execute, row } from '../foundation/database.ts';
import type { NewRun } from '../runs/new-run.ts';
import { type BuiltJob, buildCompany, buildJob } from '../testing/builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { ingestJobs } from './ingest.jobs.ts';
import { ingestRuns } from './ingest-runs.ts';
import { forgetEverythingIngested, rollupsAndRecount } from './recount.fixture.ts';
import { recountEarlierDays } from './recount-days.ts';
import { replaceUnknownZones } from './unknown-zones.ts';

const HOUR_MS = 3_600_000;
const BERLIN = { timeZone: 'Europe/Berlin', beginHour: 18 };
const AUCKLAND = { timeZone: 'Pacific/Auckland', beginHour: 0 };

let portal: TestPortal;
let administrator: Caller;
let jobs: BuiltJob[];

beforeAll(async () => {
  portal = await startTestPortal();
  administrator = await portal.as('super-admin');
  const companyId = await buildCompany(portal.database);
  jobs = [
    await buildJob(portal.database, { companyId }),
    await buildJob(portal.database, { companyId, sourceGroup: 'office365' }),
    await buildJob(portal.database, { companyId: null }),
  ];
});
afterAll(() => portal.stop());
beforeEach(() => forgetEverythingIngested(portal.database));

const RESULTS = ['Success', 'Failed', 'Warning', 'Success'] as const;

/** A run of each job every seven hours, `from` to `to` days ago. */
function runs(from: number, to: number): NewRun[] {
  const count = Math.floor(((from - to) * 24) / 7);
  return jobs.flatMap(({ jobInstanceUid }, place) =>
    Array.from({ length: count }, (_, at) => {
      const startedAt = new Date(TEST_NOW.getTime() - from * 24 * HOUR_MS + (at * 7 + place) * HOUR_MS);
      const endedAt = new Date(startedAt.getTime() + (at + 1) * 1_000);
      const result = RESULTS[(at + place) % RESULTS.length] ?? 'Success';
      return { jobInstanceUid, startedAt, endedAt, result, transferredBytes: at % 3 === 0 ? null : at };
    }),
  );
}

const ingest = (reported: readonly NewRun[]) => ingestRuns(portal.database, 1, reported, TEST_NOW);
const change = (clock: BackupClock) => administrator.call(editBackupClock, { body: clock });

async function recountAll(): Promise<number> {
  let chunks = 0;
  while (await recountEarlierDays(portal.database, 1)) chunks += 1;
  return chunks;
}

/** Compares the sums with a count from scratch, by the clocks that hold. */
async function expectCounted(): Promise<void> {
  const clocks = await readDayClocks(portal.database, 1);
  const text = (ms: number) => new Date(clocks.dayOf(ms) * 86_400_000).toISOString().slice(0, 10);
  const { stored, counted } = await rollupsAndRecount(portal.database, text);
  expect(stored).toEqual(counted);
}

async function expectCountedBy(clock: BackupClock): Promise<void> {
  expect((await readDayClocks(portal.database, 1)).all).toMatchObject([clock]);
  const { stored, counted } = await rollupsAndRecount(portal.database, (ms) => dayOf(clock, ms));
  expect(stored).toEqual(counted);
}

describe('a change of the clock', () => {
  it('counts the last days at once, and earlier ones in pieces, newest first', async () => {
    await ingest(runs(40, 0));
    const { data } = await change(BERLIN);
    // Now is the night of March 1: eight days, and the first one has runs that were counted by UTC.
    expect(data).toMatchObject({ ...BERLIN, isChosen: true, recountedFrom: '2026-02-23' });
    await expectCounted();
    const froms: (string | null)[] = [];
    while (await recountEarlierDays(portal.database, 1)) {
      froms.push((await administrator.call(getBackupClock, {})).data.recountedFrom);
      await expectCounted();
    }
    expect(froms).toEqual(['2026-02-15', '2026-02-07', '2026-01-30', '2026-01-22', null]);
    await expectCountedBy(BERLIN);
  });

  it('counts runs that are reported meanwhile, old and new ones, once', async () => {
    await ingest(runs(40, 20));
    await change(BERLIN);
    const reported = runs(38, 0);
    const parts = [0, 1, 2, 3].map((part) => reported.filter((_, at) => at % 4 === part));
    await Promise.all([recountAll(), ...parts.map((part) => ingest(part))]);
    await expectCounted();
    await recountAll();
    await expectCountedBy(BERLIN);
  });

  it('may come while that of the one before is counted', async () => {
    await ingest(runs(40, 0));
    await change(BERLIN);
    await recountEarlierDays(portal.database, 1);
    await change(AUCKLAND);
    await expectCounted();
    await change(UTC_CLOCK);
    await expectCounted();
    await recountEarlierDays(portal.database, 1);
    await change(AUCKLAND);
    await ingest(runs(41, 0));
    await expectCounted();
    await recountAll();
    await expectCountedBy(AUCKLAND);
  });

  it('counts runs that a job had long ago without counting the time between', async () => {
    await ingest(runs(2, 0));
    await ingest(runs(900, 898));
    await change(AUCKLAND);
    expect(await recountAll()).toBe(1);
    await expectCountedBy(AUCKLAND);
  });

  it('is done at once where nothing is older, or nothing ran', async () => {
    await change(BERLIN);
    await expectCountedBy(BERLIN);
    await ingest(runs(6, 0));
    await change(AUCKLAND);
    await expectCountedBy(AUCKLAND);
    expect(await providersToRecount(portal.database)).toEqual([]);
  });

  it('measures the longest run of a day again by the clock of the provider', async () => {
    await ingest(runs(3, 0));
    await change(BERLIN);
    const [first] = runs(3, 0);
    if (first === undefined) throw new Error('There is a run.');
    await ingest([{ ...first, endedAt: new Date(first.startedAt.getTime() + 2 * HOUR_MS) }]);
    await ingest([{ ...first, endedAt: new Date(first.startedAt.getTime() + 500) }]);
    await expectCountedBy(BERLIN);
  });
});

describe('recounting in the background', () => {
  const work = (signal: AbortSignal) =>
    Promise.all(ingestJobs.map(({ run }) => run({ database: portal.database, now: () => TEST_NOW }, {}, signal)));

  it('is sent with the change, goes on after it was ended, and ends', async () => {
    await ingest(runs(60, 0));
    portal.sent.length = 0;
    await change(BERLIN);
    expect(portal.sent).toEqual([{ name: 'ingest.recount-days', payload: {} }]);
    await recountEarlierDays(portal.database, 1);
    await work(AbortSignal.abort());
    expect(await providersToRecount(portal.database)).toEqual([1]);
    await work(new AbortController().signal);
    expect(await providersToRecount(portal.database)).toEqual([]);
    await expectCountedBy(BERLIN);
  });

  it('leaves all as it was where it fails within a piece', async () => {
    await ingest(runs(40, 0));
    await change(BERLIN);
    await execute(
      portal.database,
      sql`alter table provider_days add constraint failing check (day > '2026-02-20') not valid`,
    );
    const before = await row(portal.database, sql`select sum(success) as runs, count(*) as days from job_days`);
    await expect(recountEarlierDays(portal.database, 1)).rejects.toThrow(/failing/);
    expect(await row(portal.database, sql`select sum(success) as runs, count(*) as days from job_days`)).toEqual(
      before,
    );
    await execute(portal.database, sql`alter table provider_days drop constraint failing`);
    await recountAll();
    await expectCountedBy(BERLIN);
  });
});

describe('a zone that is no longer known', () => {
  const LOST = 'Pacific/Atlantis';
  const lose = (timeZone: string) =>
    execute(portal.database, sql`update day_clocks set time_zone = ${LOST} where time_zone = ${timeZone}`);
  const replace = () => replaceUnknownZones(portal.database, TEST_NOW);

  it.each(['Pacific/Auckland', 'America/Los_Angeles'])(
    'is replaced by UTC with the sums of all days, where it was %s',
    async (timeZone) => {
      await change({ timeZone, beginHour: 0 });
      await ingest(runs(20, 0));
      await lose(timeZone);
      await replace();
      expect((await administrator.call(getBackupClock, {})).data).toMatchObject({
        timeZone: 'UTC',
        unknownTimeZone: LOST,
        recountedFrom: '2026-02-23',
      });
      await recountAll();
      await expectCountedBy(UTC_CLOCK);
      expect((await administrator.call(getBackupClock, {})).data.unknownTimeZone).toBe(LOST);
    },
  );

  it('takes what a run was from the day into which it was counted', async () => {
    await change(AUCKLAND);
    const [run] = jobs;
    // The day of Auckland has begun, that of UTC has not.
    const startedAt = new Date(TEST_NOW.getTime() - 20 * HOUR_MS);
    const reported = { jobInstanceUid: run?.jobInstanceUid ?? '', startedAt, transferredBytes: null };
    await ingest([{ ...reported, endedAt: null, result: 'Running' }]);
    await lose(AUCKLAND.timeZone);
    await replace();
    await ingest([{ ...reported, endedAt: TEST_NOW, result: 'Success' }]);
    await expectCountedBy(UTC_CLOCK);
  });

  it('may be lost while the days of the clock before are counted', async () => {
    await ingest(runs(40, 0));
    await change(BERLIN);
    await recountEarlierDays(portal.database, 1);
    await change(AUCKLAND);
    await recountEarlierDays(portal.database, 1);
    await lose(AUCKLAND.timeZone);
    await lose(BERLIN.timeZone);
    await replace();
    await ingest(runs(41, 0));
    await recountAll();
    await expectCountedBy(UTC_CLOCK);
  });

  it('is replaced once: what is stored then is known', async () => {
    await change(AUCKLAND);
    await lose(AUCKLAND.timeZone);
    await replace();
    expect(await providersOfUnknownZones(portal.database)).toEqual([]);
    await ingest(runs(3, 0));
    await change(BERLIN);
    await expectCountedBy(BERLIN);
  });

  it('is forgotten when UTC is chosen instead', async () => {
    await change(AUCKLAND);
    await lose(AUCKLAND.timeZone);
    expect((await change(UTC_CLOCK)).data).toMatchObject({ ...UTC_CLOCK, unknownTimeZone: null });
  });
});

describe('PUT backup-clock', () => {
  it('422: refuses a time zone that does not exist, and an hour that is none', async () => {
    const refused = await administrator.send(editBackupClock, { body: { timeZone: 'Europe/Atlantis', beginHour: 0 } });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('Europe/Berlin')]);
    const hour = await administrator.send(editBackupClock, { body: { timeZone: 'UTC', beginHour: 24 } });
    expect(hour.status).toBe(422);
  });

  it('200: remembers that UTC was chosen, and says nothing twice in the users logs', async () => {
    expect((await administrator.call(getBackupClock, {})).data.isChosen).toBe(false);
    const count = () =>
      row(portal.database, sql`select count(*) from audit_entries where action = 'backup-clock.edit'`);
    const before = await count();
    await change(UTC_CLOCK);
    const after = await count();
    expect(after).not.toEqual(before);
    expect((await administrator.call(getBackupClock, {})).data).toMatchObject({ ...UTC_CLOCK, isChosen: true });
    await change(UTC_CLOCK);
    expect(await count()).toEqual(after);
  });

  it('200: says of a stored time zone that does not exist any more that UTC counts instead', async () => {
    await execute(
      portal.database,
      sql`insert into day_clocks (provider_id, from_at, time_zone, begin_hour) values (1, '-infinity', 'Europe/Atlantis', 3)`,
    );
    const { data } = await administrator.call(getBackupClock, {});
    expect(data).toMatchObject({ timeZone: 'UTC', beginHour: 3, unknownTimeZone: 'Europe/Atlantis' });
    await ingest(runs(3, 0));
    await expectCountedBy({ timeZone: 'UTC', beginHour: 3 });
    await change(BERLIN);
    await expectCountedBy(BERLIN);
  });
});
