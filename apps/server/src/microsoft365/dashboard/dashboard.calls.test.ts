import {
  readBackupStatus,
  readHighestStorageUsers,
  readLicenseActivity,
  readLicenses,
  readRetention,
  readUserFigures,
} from '@keepwatch/contract/microsoft365/dashboard';
import { listM365Jobs } from '@keepwatch/contract/microsoft365/jobs';
import { listLicensedUsers } from '@keepwatch/contract/microsoft365/licensing';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row } from '../../foundation/database.ts';
import { insert } from '../../foundation/table-writes.ts';
import { buildCompany } from '../../testing/builders.ts';
import {
  type BuiltOrganization,
  buildLicensedUser,
  buildM365Job,
  buildM365Repository,
  buildOwnOrganization,
  buildSession,
} from '../../testing/microsoft365-builders.ts';
import { dayAgo, daysAgo } from '../../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { insertProof } from '../proofs/stored-proofs.ts';
import { SessionLog } from '../sessions/session-log.ts';
import { m365DeviceCodes } from '../tables.ts';
import { tidyMicrosoft365 } from '../tidy.ts';

let portal: TestPortal;
let admin: Caller;
let contoso: BuiltOrganization;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  const { database } = portal;
  contoso = await buildOwnOrganization(database, { name: 'Contoso' });
  const repositoryId = await buildM365Repository(database, contoso, { name: 'Vault' });
  await execute(
    database,
    sql`update m365_repositories set retention_years = 5, used_bytes = 900, immutable_days = 30 where id = ${repositoryId}`,
  );
  const nightly = { providerId: 1, id: await buildM365Job(database, contoso, { repositoryId, name: 'Nightly' }) };
  await buildSession(database, nightly, { startedAt: daysAgo(2), result: 'Failed' });
  await buildSession(database, nightly, { startedAt: daysAgo(1) });
  const disabled = { repositoryId, name: 'Old', isEnabled: false };
  const old = { providerId: 1, id: await buildM365Job(database, contoso, disabled) };
  await buildSession(database, old, { startedAt: daysAgo(2), result: 'Warning' });
  await buildM365Job(database, contoso, { name: 'Never' });
  await buildLicensedUser(database, contoso, { name: 'Ada', driveBytes: 500, periods: [[dayAgo(60), dayAgo(1)]] });
  await buildLicensedUser(database, contoso, { name: 'Grace', periods: [[dayAgo(90), dayAgo(32)]] });
  await buildLicensedUser(database, contoso, { name: 'Katherine', periods: [[dayAgo(8), dayAgo(8)]] });
});
afterAll(() => portal.stop());

/** A caller who reaches no organization. */
const stranger = async () => portal.as('o365_admin', { companyIds: [await buildCompany(portal.database)] });

describe('GET o365/dashboard/backup-status', () => {
  it('200: counts jobs by their last run, and runs by day', async () => {
    const { data } = await admin.call(readBackupStatus, { query: {} });
    expect(data.jobs).toEqual({ total: 3, success: 1, warning: 1, failed: 0, running: 0, neverRun: 1, disabled: 1 });
    expect(data.days).toHaveLength(31);
    expect(data.days.slice(-3)).toEqual([
      { day: dayAgo(2), success: 0, warning: 1, failed: 1, running: 0 },
      { day: dayAgo(1), success: 1, warning: 0, failed: 0, running: 0 },
      { day: dayAgo(0), success: 0, warning: 0, failed: 0, running: 0 },
    ]);
  });

  it('leads to the jobs that each figure counts', async () => {
    const namesOf = async (query: CallRequest<typeof listM365Jobs>['query']) =>
      (await admin.call(listM365Jobs, { query })).data.map(({ name }) => name);
    expect(await namesOf({ only: 'never-run' })).toEqual(['Never']);
    expect(await namesOf({ only: 'disabled' })).toEqual(['Old']);
    expect(await namesOf({ ranOn: dayAgo(2) })).toEqual(['Nightly', 'Old']);
    expect(await namesOf({ ranOn: dayAgo(2), status: ['Failed'] })).toEqual(['Nightly']);
    expect(await namesOf({ ranOn: dayAgo(0) })).toEqual([]);
  });

  it('shows nothing outside the companies of who asks', async () => {
    const { data } = await (await stranger()).call(readBackupStatus, { query: {} });
    expect(data.jobs.total).toBe(0);
    expect(data.days.every(({ success, warning, failed }) => success + warning + failed === 0)).toBe(true);
  });
});

describe('GET o365/dashboard/users', () => {
  it('200: counts who is licensed today by what is backed up, and who was not backed up for a week', async () => {
    const { data } = await admin.call(readUserFigures, { query: {} });
    expect(data).toEqual({ licensed: 2, mailbox: 2, archive: 0, drive: 1, chats: 0, stale: 1, organizations: 1 });
    const none = await (await stranger()).call(readUserFigures, { query: {} });
    expect(none.data.licensed).toBe(0);
  });
});

describe('GET o365/dashboard/license-activity', () => {
  it('200: counts licences day by day, with what began and what ended', async () => {
    const { data } = await admin.call(readLicenseActivity, { query: {} });
    expect(data).toHaveLength(31);
    const on = (days: number) => data.find(({ day }) => day === dayAgo(days));
    expect(on(8)).toEqual({ day: dayAgo(8), licensed: 3, added: 1, released: 0 });
    // 31 days from the last backup on.
    expect(on(2)).toEqual({ day: dayAgo(2), licensed: 3, added: 0, released: 0 });
    expect(on(1)).toEqual({ day: dayAgo(1), licensed: 2, added: 0, released: 1 });
    expect(data[0]).toMatchObject({ licensed: 2 });
  });

  it('counts the same users as the list of each day', async () => {
    const { data } = await admin.call(readLicenseActivity, { query: {} });
    for (const { day, licensed } of data.filter((_, place) => place % 5 === 0)) {
      const range = { from: `${day}T00:00:00.000Z`, to: `${day}T23:59:59.999Z` };
      expect((await admin.call(listLicensedUsers, { query: range })).count).toBe(licensed);
    }
  });
});

describe('GET o365/dashboard/licenses', () => {
  it('200: sums the licences in use, the organizations with the most first', async () => {
    const { data } = await admin.call(readLicenses, { query: {} });
    expect(data).toEqual({
      ...{ licensedUsers: 3, newUsers: 1, releasedUsers: 1, organizationCount: 1 },
      organizations: [
        {
          ...{ id: contoso.id, name: 'Contoso', companyName: expect.any(String) },
          ...{ licensedUsers: 3, newUsers: 1, releasedUsers: 1 },
        },
      ],
    });
  });
});

describe('GET o365/dashboard/highest-storage-users', () => {
  it('200: lists the licensed users of whom the most is stored', async () => {
    const { data } = await admin.call(readHighestStorageUsers, { query: { limit: 5 } });
    expect(data.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['Ada', 1_500],
      ['Katherine', 1_000],
    ]);
    expect((await (await stranger()).call(readHighestStorageUsers, { query: {} })).data).toEqual([]);
  });
});

describe('GET o365/dashboard/retention', () => {
  it('200: groups the repositories by how long they keep, for ever last', async () => {
    const { data } = await admin.call(readRetention, { query: {} });
    expect(data.map(({ retentionPolicy, usedBytes }) => [retentionPolicy, usedBytes])).toEqual([
      [5, 900],
      [null, null],
    ]);
    expect(data[0]?.repositories).toMatchObject([{ name: 'Vault', organizationName: 'Contoso', immutableDays: 30 }]);
    expect((await (await stranger()).call(readRetention, { query: {} })).data).toEqual([]);
  });
});

describe('the records that are removed when they are old', () => {
  const years = (count: number) => new Date(TEST_NOW.getTime() + count * 365 * 86_400_000);
  const counted = async (table: string, which = sql`true`) =>
    (
      await row<{ count: number }>(
        portal.database,
        sql`select count(*) as count from ${sql.identifier(table)} where ${which}`,
      )
    )?.count;
  const tidyAt = (now: Date) => tidyMicrosoft365(portal.database, now, new AbortController().signal);

  it('are none that a figure needs: runs that a picture shows, restore points and licences stay', async () => {
    const key = { providerId: 1, id: await buildM365Job(portal.database, contoso, { name: 'Hourly' }) };
    const hours = (count: number) => new Date(TEST_NOW.getTime() - count * 3_600_000);
    for (let hour = 0; hour < 70; hour += 1) await buildSession(portal.database, key, { startedAt: hours(hour) });
    const oldest = hours(69);
    const sessionId = await buildSession(portal.database, key, { startedAt: hours(70) });
    const log = new SessionLog(portal.database, { providerId: 1, id: sessionId });
    for (let line = 0; line < 5_100; line += 1) log.add('info', null, `Line ${line}`);
    await log.flush();
    const ofHourly = sql`job_id = ${key.id}`;
    // Not counted yet: the licences of its users would be lost with it.
    const uncounted = await execute(
      portal.database,
      sql`update m365_job_sessions set count_users_at = case when started_at = ${oldest} then '-infinity' else 'infinity' end::timestamptz where ${ofHourly}`,
    );
    expect(uncounted).toBe(71);
    for (let made = 0; made < 25; made += 1) {
      const proof = await insertProof(portal.database, key, null, hours(made));
      await execute(
        portal.database,
        sql`update m365_proofs set ended_at = started_at, result = 'Success' where id = ${proof}`,
      );
    }
    const figures = async () => [
      (await admin.call(readBackupStatus, { query: {} })).data,
      (await admin.call(readLicenseActivity, { query: {} })).data,
      (await admin.call(listM365Jobs, { query: {} })).data,
      (await admin.call(listLicensedUsers, { query: {} })).data,
    ];
    const before = await figures();
    await tidyAt(TEST_NOW);
    expect(await counted('m365_session_log')).toBe(5_100);
    await tidyAt(new Date(TEST_NOW.getTime() + 95 * 86_400_000));
    expect(await counted('m365_session_log')).toBe(0);
    expect(await counted('m365_job_sessions', ofHourly)).toBe(71);
    expect(await figures()).toEqual(before);

    await tidyAt(years(3));
    // The 61 that the picture shows, and the one that is not counted.
    expect(await counted('m365_job_sessions', ofHourly)).toBe(62);
    expect(await counted('m365_proofs', ofHourly)).toBe(20);
    const [, licences, jobs, users] = await figures();
    expect([licences, jobs, users]).toEqual(before.slice(1));
  });

  it('are codes of devices a day after they have ended', async () => {
    const code = (userCode: string, expiresAt: Date) =>
      insert(portal.database, m365DeviceCodes, {
        ...{
          providerId: 1,
          companyId: contoso.companyId,
          userId: admin.userId,
          userCode,
          region: 'Worldwide' as const,
        },
        ...{ secret: Buffer.from('x'), intervalMs: 5_000, nextAskAt: expiresAt, expiresAt },
      });
    await code('OLD', daysAgo(2));
    await code('NEW', daysAgo(0));
    await tidyAt(TEST_NOW);
    expect(await counted('m365_device_codes')).toBe(1);
  });
});
