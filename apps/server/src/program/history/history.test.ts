import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { execute, row, rows } from '../../foundation/database.ts';
import { openLog } from '../../foundation/log.ts';
import { openStored } from '../../microsoft365/repositories/open-stored.ts';
import { makeSession } from '../../microsoft365/sessions/sessions.ts';
import { placesOf, seenSession, startWorker } from '../../microsoft365/sessions/testing/worker.ts';
import { findFirstJob, type JobPlace } from '../../microsoft365/sessions/worker-runs.ts';
import { startTestPortal, TEST_SECRETS, type TestPortal } from '../../testing/test-portal.ts';
import { ensureDemonstrationOrganization, ORGANIZATION_ID } from '../demonstration-organization.ts';
import { beginHistory } from './begin-history.ts';
import { type LivingTenants, startLivingTenants } from './living-tenants.ts';
import { firstMorning, nightsSince } from './nights.ts';

const LIMIT_MS = 120_000;
const DAYS = 21;
/** Who is backed up, instead of everyone. */
const PEOPLE = 3;
const NOW = new Date();
const MORNING = firstMorning(NOW);
const NIGHTS = nightsSince(MORNING);
const organization = { providerId: 1, id: ORGANIZATION_ID };

let portal: TestPortal;
/** The tenants that people use, as they were in the last night. */
let world: LivingTenants;
let dataDir: string;
let job: JobPlace;

beforeAll(async () => {
  portal = await startTestPortal();
  dataDir = await mkdtemp(join(tmpdir(), 'keepwatch-history-'));
  world = await startLivingTenants(MORNING, {});
  world.liveUntil(NIGHTS.at(-1) ?? NOW);
  world.followPresent();
  const parts = { database: portal.database, secrets: TEST_SECRETS, dataDir, now: NOW, morning: MORNING };
  await ensureDemonstrationOrganization(parts, organization.providerId, world.tenants);
  job = (await findFirstJob(portal.database, organization)) ?? fail('The demonstration has no job.');
  await selectPeople(PEOPLE);
  // As a worker does, as soon as it has started.
  await execute(
    portal.database,
    sql`update m365_repositories set used_bytes = 0, growth_bytes = 0, measured_at = now()`,
  );
  const broken = await begin();
  await vi.waitUntil(async () => (await countSessions()) > 3, { timeout: LIMIT_MS });
  await broken.stop();
  await (await begin()).ended;
}, LIMIT_MS);
afterAll(async () => {
  await world.tenants.stop();
  await portal.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const begin = () =>
  beginHistory({
    database: portal.database,
    databaseUrl: portal.databaseUrl,
    secrets: TEST_SECRETS,
    log: openLog('warn', 'test'),
    organization,
    morning: MORNING,
    present: world.tenants,
    untilReady: async () => undefined,
  });

function fail(message: string): never {
  throw new Error(message);
}

/** Instead of the whole organization, so that a night takes a moment. */
async function selectPeople(count: number): Promise<void> {
  const parts = {
    mailbox: true,
    archiveMailbox: false,
    oneDrive: true,
    sites: false,
    personalSite: false,
    teams: false,
  };
  const people = world.tenants.tenant.directory.users.filter(({ mailbox }) => mailbox?.purpose === 'user');
  const selected = people
    .slice(0, count)
    .map(({ id, displayName }) => ({ type: 'User', id, name: displayName, ...parts }));
  await execute(
    portal.database,
    sql`update m365_jobs set backup_type = 'SelectedItems', selected = ${JSON.stringify(selected)}::jsonb where id = ${job.id}`,
  );
}

async function countSessions(): Promise<number> {
  return (
    (await row<{ count: number }>(portal.database, sql`select count(*)::int as count from m365_job_sessions`))?.count ??
    0
  );
}

it('has a restore point of each of 21 nights, also after the program was ended in between', async () => {
  const sessions = await rows<{ startedAt: string; endedAt: string; result: string; restorePoint: string | null }>(
    portal.database,
    sql`select started_at as "startedAt", ended_at as "endedAt", result, restore_point as "restorePoint" from m365_job_sessions order by started_at`,
  );
  expect(NIGHTS).toHaveLength(DAYS);
  expect(sessions.map(({ startedAt }) => startedAt)).toEqual(NIGHTS.map((night) => night.toISOString()));
  expect(sessions.every(({ result, restorePoint }) => restorePoint !== null && result !== 'Failed')).toBe(true);
  const catalog = await openCatalog();
  const points = await catalog.listRestorePoints({ limit: 100, offset: 0 });
  expect(points.map(({ run }) => run.id)).toEqual(sessions.map(({ restorePoint }) => restorePoint).reverse());
  const days = points.map(({ finishedAt }) => finishedAt.toISOString().slice(0, 10));
  expect(days.reverse()).toEqual(NIGHTS.map((night) => night.toISOString().slice(0, 10)));
});

it('finds what was deleted on a night in the restore point before', async () => {
  const catalog = await openCatalog();
  let deletions = 0;
  for await (const { key } of catalog.listObjects()) {
    const revision = await catalog.revisionOf(key);
    for await (const { id, name, lastRevision } of catalog.walk(key, revision, null, { showDeleted: true })) {
      if (lastRevision === null) continue;
      deletions += 1;
      expect(await catalog.item(key, lastRevision, id)).toMatchObject({ id, name });
      expect(await catalog.item(key, lastRevision + 1, id)).toBeNull();
    }
  }
  expect(deletions).toBeGreaterThan(0);
});

it('has the messages of the chats of its people', async () => {
  const catalog = await openCatalog();
  const { rows: found } = await catalog.findObjects({ kinds: ['chats'], limit: PEOPLE + 1 });
  // Not everyone is licensed for Teams.
  expect(found.length).toBeGreaterThan(0);
  for (const { key } of found) {
    let messages = 0;
    for await (const _ of catalog.currentIds(key, ['chat-message'])) messages += 1;
    expect(messages).toBeGreaterThan(0);
  }
});

it('is in Monitoring, and leaves at most three warnings to be looked at', async () => {
  const shown = await rows<{ day: string; state: string }>(
    portal.database,
    sql`select (started_at at time zone 'UTC')::date::text as day, state from job_executions where source_group = 'office365' order by started_at`,
  );
  expect(shown.map(({ day }) => day)).toEqual(NIGHTS.map((night) => night.toISOString().slice(0, 10)));
  expect(shown.filter(({ state }) => state === 'pending').length).toBeLessThanOrEqual(3);
});

it('counts its users as licensed since the first night', async () => {
  const found = await rows<{ began: string; last: string }>(
    portal.database,
    sql`select distinct began_on::text as began, last_backup_on::text as last from m365_license_periods`,
  );
  const [first, last] = [NIGHTS.at(0), NIGHTS.at(-1)].map((night) => night?.toISOString().slice(0, 10));
  expect(found).toEqual([{ began: first, last }]);
});

it('says how the repository grows', async () => {
  const found = await row<{ usedBytes: number; growthBytes: number }>(
    portal.database,
    sql`select used_bytes as "usedBytes", growth_bytes as "growthBytes" from m365_repositories where id = ${job.repositoryId}`,
  );
  expect(found?.usedBytes).toBeGreaterThan(0);
  expect(found?.growthBytes).toBeGreaterThan(0);
});

it('is the past of the tenant that people use: the next run goes on from the last night, and finds nothing new', async () => {
  const worker = await startWorker(placesOf(portal.databaseUrl, world.tenants));
  try {
    const session = (await makeSession(portal.database, job, new Date())) ?? fail('The job runs.');
    await expect
      .poll(() => seenSession(portal.database, session), { timeout: LIMIT_MS })
      .toMatchObject({ isEnded: true });
    const seen = await seenSession(portal.database, session);
    expect(seen).toMatchObject({
      result: 'Success',
      progress: { itemsRead: await quietNight(), itemsRemoved: 0, bytesStored: 0 },
    });
  } finally {
    await worker.stop();
  }
  const history = await begin();
  await history.ended;
  expect(await countSessions()).toBe(DAYS + 1);
});

/** What a run reads where nothing has changed: settings, which have no list of changes. */
async function quietNight(): Promise<number> {
  const read = sql`min((progress->>'itemsRead')::int)`;
  const found = await row<{ least: number }>(
    portal.database,
    sql`select ${read} as least from m365_job_sessions where progress ? 'itemsRead'`,
  );
  return found?.least ?? fail('There is no run.');
}

async function openCatalog() {
  const { services, stop } = await startWorker(placesOf(portal.databaseUrl, world.tenants, { capacity: 0 }));
  closing.push(stop);
  return (await openStored(services, organization.providerId, job.repositoryId)).catalog;
}
const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));
