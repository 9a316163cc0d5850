import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  deletePortalBackup,
  editBackupPlan,
  fetchPortalBackup,
  listPortalBackups,
  preparePortalRestore,
  startPortalBackup,
} from '@keepwatch/contract/administration/backups';
import { listNotifications } from '@keepwatch/contract/notifications/notifications';
import { writeBackupFile } from '@keepwatch/embedded-database/backup/backup-file';
import { findPostgresBinaries } from '@keepwatch/embedded-database/postgres-binaries';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, transaction } from '../../foundation/database.ts';
import { openLog } from '../../foundation/log.ts';
import type { Queue } from '../../foundation/queue.ts';
import { buildCompany } from '../../testing/builders.ts';
import { refusal } from '../../testing/refusal.ts';
import { settle } from '../../testing/settle.ts';
import {
  type Caller,
  recordingQueue,
  startTestPortal,
  TEST_NOW,
  TEST_SECRETS,
  type TestPortal,
} from '../../testing/test-portal.ts';
import { endBackup } from './backup-alarms.ts';
import { removeOldBackups, removeUnfinished } from './backup-files.ts';
import { markBegun, markEnded, markProgress } from './backup-plan.ts';
import { beginDueBackup } from './backups.jobs.ts';
import { type PortalBackupServices, takePortalBackup, takePortalBackupJob } from './take-portal-backup.ts';

const HOUR_MS = 3_600_000;
const NONE = 'keepwatch-20200101T000000Z.backup';
let portal: TestPortal;
let dataDir: string;
let owner: Caller;

beforeAll(async () => {
  dataDir = await makeTemporaryFolder('keepwatch-backups-');
  portal = await startTestPortal(undefined, { dataDir, isEmbedded: true });
  owner = await portal.as('super-admin');
});
afterAll(() => portal.stop());
beforeEach(async () => {
  portal.clock.now = TEST_NOW;
  portal.sent.length = 0;
  await execute(
    portal.database,
    sql`update backup_plan set is_on = false, at = '02:00', keep = 7, begun_at = null, running_since = null, seen_at = null, failure = null, failed_at = null`,
  );
});

/** A backup in the format of the program, of a content that no database has. */
async function putBackup(day: number, { program = '2.2.14' } = {}): Promise<string> {
  const createdAt = `2026-03-${String(day).padStart(2, '0')}T02:00:00.000Z`;
  const name = `keepwatch-202603${String(day).padStart(2, '0')}T020000Z.backup`;
  await mkdir(join(dataDir, 'backups'), { recursive: true });
  const header = {
    format: 1,
    program,
    postgres: findPostgresBinaries().major,
    createdAt,
    keys: ['0123456789abcdef'],
  } as const;
  await writeBackupFile(join(dataDir, 'backups', name), header, Readable.from([Buffer.from('archive')]));
  return name;
}

/** What a worker has. */
function services(): PortalBackupServices {
  return {
    ...{ database: portal.database, dataDir, isEmbedded: true, secrets: TEST_SECRETS, log: openLog('silent', 'test') },
    queue: recordingQueue(portal.sent),
    now: () => portal.clock.now,
  };
}

/** The banners of who runs the installation. */
async function banners(): Promise<string[]> {
  await settle(portal.database, services().queue);
  const { data } = await owner.call(listNotifications, { body: { userId: owner.userId } });
  return data.filter(({ app }) => app === 'admin').map(({ message }) => message);
}

const listed = async () => (await owner.call(listPortalBackups, {})).data;

describe('the backups of the portal', () => {
  it('200: are the files of the folder, the newest first, with what each says of itself', async () => {
    const [older, newer] = [await putBackup(1), await putBackup(2)];
    await writeFile(join(dataDir, 'backups', 'keepwatch-20260303T020000Z.backup'), 'no backup');
    await writeFile(join(dataDir, 'backups', 'notes.txt'), 'mine');
    const { backups, isAvailable, folder } = await listed();
    expect([isAvailable, folder]).toEqual([true, join(dataDir, 'backups')]);
    expect(backups.map(({ name }) => name)).toEqual([newer, older]);
    expect(backups[0]).toMatchObject({
      createdAt: '2026-03-02T02:00:00.000Z',
      program: '2.2.14',
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      keys: ['0123456789abcdef'],
    });
  });

  it('200: are downloaded whole or from where a client broke off, and deleted', async () => {
    const name = await putBackup(4);
    const whole = Buffer.from(await (await owner.send(fetchPortalBackup, { params: { name } })).arrayBuffer());
    const path = `/api${fetchPortalBackup.path.replace('{name}', name)}`;
    const part = await owner.raw('GET', path, { headers: { range: 'bytes=10-' } });
    expect([part.status, Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10))]).toEqual([206, true]);
    expect(whole.toString('latin1')).not.toContain('"secret"');
    await owner.call(deletePortalBackup, { params: { name } });
    expect((await listed()).backups.map((backup) => backup.name)).not.toContain(name);
  });

  it('200: say after the whole file was read with which commands one replaces the database', async () => {
    const name = await putBackup(5);
    const { data } = await owner.call(preparePortalRestore, { params: { name }, body: { confirmation: 'replace' } });
    expect(data.commands.map(({ label }) => label)).toEqual(['Restore', 'Start']);
    expect(data.commands[0]?.command).toContain(
      `DATA_DIR='${dataDir}' npm run restore -- '${join(dataDir, 'backups', name)}' --replace`,
    );
  });

  it('409: are not prepared where the file was changed, or made by a newer version', async () => {
    const prepared = (name: string) =>
      refusal(owner.send(preparePortalRestore, { params: { name }, body: { confirmation: 'replace' } }));
    const damaged = await putBackup(6);
    await appendFile(join(dataDir, 'backups', damaged), 'x');
    expect(await prepared(damaged)).toMatchObject({
      status: 409,
      message: expect.stringContaining('cut off or changed'),
    });
    const newer = await putBackup(7, { program: '99.0.0' });
    expect(await prepared(newer)).toMatchObject({ status: 409, message: expect.stringContaining('version 99.0.0') });
    const unconfirmed = JSON.stringify({ confirmation: 'yes' });
    const path = `/api${preparePortalRestore.path.replace('{name}', damaged)}`;
    expect((await owner.raw('POST', path, { body: unconfirmed })).status).toBe(422);
  });

  it('404: are not found under a name that none has; 422: no other file is reached', async () => {
    const params = { name: NONE };
    const body = { confirmation: 'replace' } as const;
    expect((await owner.send(fetchPortalBackup, { params })).status).toBe(404);
    expect((await owner.send(deletePortalBackup, { params })).status).toBe(404);
    expect((await owner.send(preparePortalRestore, { params, body })).status).toBe(404);
    expect((await owner.raw('GET', `/api/admin/backups/${encodeURIComponent('../secret')}/file`)).status).toBe(422);
  });

  it('403: are for those who run the installation alone', async () => {
    const other = await portal.as('super-admin', { providerId: 2 });
    const limited = await portal.as('super-admin', { companyIds: [await buildCompany(portal.database)] });
    for (const caller of [other, limited]) {
      expect((await caller.send(listPortalBackups, {})).status).toBe(403);
      expect((await caller.send(startPortalBackup, {})).status).toBe(403);
      expect((await caller.send(fetchPortalBackup, { params: { name: NONE } })).status).toBe(403);
    }
  });

  it('409: are made and restored with the tools of the server where the database is one of its own', async () => {
    const elsewhere = await startTestPortal();
    try {
      const caller = await elsewhere.as('super-admin');
      expect((await caller.call(listPortalBackups, {})).data.isAvailable).toBe(false);
      expect((await caller.send(startPortalBackup, {})).status).toBe(409);
    } finally {
      await elsewhere.stop();
    }
  });
});

describe('a backup', () => {
  it('200: is handed to a worker, once, and says how far it is', async () => {
    await owner.call(startPortalBackup, {});
    expect(portal.sent.map(({ name }) => name)).toEqual([takePortalBackupJob.name]);
    expect((await owner.send(startPortalBackup, {})).status).toBe(409);
    await execute(portal.database, sql`update backup_plan set total_bytes = 100`);
    await markProgress(portal.database, 40, TEST_NOW);
    expect((await listed()).running).toEqual({ since: TEST_NOW.toISOString(), doneBytes: 40, totalBytes: 100 });
    await markEnded(portal.database, null, TEST_NOW);
    expect((await listed()).running).toBeNull();
  });

  it('no longer counts as running when its worker has died', async () => {
    await owner.call(startPortalBackup, {});
    portal.clock.now = new Date(TEST_NOW.getTime() + 61_000);
    expect((await listed()).running).toBeNull();
    // It only waited: none was lost.
    expect((await listed()).failure).toBeNull();
    await owner.call(startPortalBackup, {});
  });

  it('that was killed failed: the screen says so at once, and the staff until one succeeds', async () => {
    await removeOldBackups(dataDir, 0);
    await markBegun(portal.database, 100, TEST_NOW);
    portal.clock.now = new Date(TEST_NOW.getTime() + 61_000);
    const failure = { at: TEST_NOW.toISOString(), message: expect.stringContaining('ended with its process') };
    expect((await listed()).failure).toEqual(failure);
    expect(await banners()).toEqual([]);
    await beginDueBackup(services());
    expect((await listed()).failure).toEqual({ ...failure, at: portal.clock.now.toISOString() });
    expect(await banners()).toEqual([expect.stringContaining('failed on 2026-03-02 08:01 UTC')]);
    // The database of a backup, restored: its file is there.
    const begun = new Date('2026-03-02T02:00:00.000Z');
    await markBegun(portal.database, 100, begun);
    await putBackup(2);
    expect((await listed()).failure).toBeNull();
    await beginDueBackup(services());
    expect(await banners()).toEqual([]);
  });

  it('that fails says why on the screen, and that it failed above the pages of the staff of the installation', async () => {
    const empty = await makeTemporaryFolder('keepwatch-none-');
    await takePortalBackup({ ...services(), dataDir: empty });
    expect((await listed()).failure).toEqual({
      at: TEST_NOW.toISOString(),
      message: expect.stringContaining(`There is no database in ${empty}.`),
    });
    const [banner] = await banners();
    expect(banner).toContain('Open Backups in the Admin application');
    expect(banner).not.toContain(empty);
    const { queue, database } = services();
    await transaction(database, (connection) => endBackup(queue, connection, null, TEST_NOW));
    expect([(await listed()).failure, await banners()]).toEqual([null, []]);
  });

  it('begins once a day at its time, and not for a time that was over when the schedule was set', async () => {
    const begun: string[] = [];
    const queue: Queue = {
      send: async (_connection, { name }) => void begun.push(name),
      isAnswering: async () => true,
    };
    const at = async (hours: number) => {
      const now = () => new Date(TEST_NOW.getTime() + hours * HOUR_MS);
      await beginDueBackup({ ...services(), queue, now });
      return begun.length;
    };
    expect(await at(0)).toBe(0);
    const hour = new Date(TEST_NOW.getTime() - HOUR_MS).toISOString().slice(11, 16);
    await owner.call(editBackupPlan, { body: { isOn: true, at: hour, keep: 2 } });
    expect([await at(0), await at(22.9), await at(23), await at(24), await at(47)]).toEqual([0, 0, 1, 1, 2]);
  });

  it('leaves as many as are to stay, and nothing of one that was killed', async () => {
    for (const day of [11, 12, 13]) await putBackup(day);
    await writeFile(join(dataDir, 'backups', 'keepwatch-20260314T020000Z.backup.unfinished'), 'half');
    await removeUnfinished(dataDir);
    await removeOldBackups(dataDir, 2);
    const left = (await readdir(join(dataDir, 'backups'))).filter((name) => name.startsWith('keepwatch-'));
    expect(left.toSorted()).toEqual(['keepwatch-20260312T020000Z.backup', 'keepwatch-20260313T020000Z.backup']);
  });
});
