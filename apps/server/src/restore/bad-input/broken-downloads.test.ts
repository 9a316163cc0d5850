import { mkdir, readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { backgroundDownloadReply, cancelDownload, readDownload } from '@keepwatch/contract/restore/downloads';
import { downloadDrive, listRestoreDrives } from '@keepwatch/contract/restore/drives';
import { downloadMailbox, listRestoreMailboxes, restoreMailboxToAnother } from '@keepwatch/contract/restore/mailboxes';
import { readRestoreOperation } from '@keepwatch/contract/restore/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, row, transaction } from '../../foundation/database.ts';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessionOf } from '../testing/bed-session.ts';
import { bytesOf, sha256 } from '../testing/read-files.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';
import { allOf } from '../testing/tenant-contents.ts';

let bed: RestoreBed;
let caller: Caller;
let drive: { restoreSessionId: string; onedriveId: string };
let mailbox: { restoreSessionId: string; mailboxId: string };

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['drive', 'mailbox'], usersAfter: 2, users: 2 });
  caller = await bed.as('o365_admin');
  const [veod, vex] = [await openSessionOf(bed, caller, 'veod'), await openSessionOf(bed, caller, 'vex')];
  const drives = (await caller.call(listRestoreDrives, { params: { restoreSessionId: veod } })).data.results;
  drive = { restoreSessionId: veod, onedriveId: drives[0]?.id ?? '' };
  const { results } = (await caller.call(listRestoreMailboxes, { params: { restoreSessionId: vex } })).data;
  const own = results.find(({ isArchive, isGroup }) => !isArchive && !isGroup);
  mailbox = { restoreSessionId: vex, mailboxId: own?.id ?? '' };
});
afterAll(() => bed.stop());

const driveUrl = () => `${drive.restoreSessionId}/onedrives/${drive.onedriveId}/download`;
const mailboxUrl = () => `${mailbox.restoreSessionId}/mailboxes/${mailbox.mailboxId}/download`;

/** Begins a download, and cuts the connection once so many bytes of its body have come. @returns how many came */
function cutAfter(path: string, bytes: number): Promise<number> {
  const url = new URL(`/api/o365/restore/restoresessions/${path}`, bed.url);
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', headers, agent: false }, (reply) => {
      let count = 0;
      reply.on('error', () => resolve(count));
      reply.on('data', (piece: Buffer) => {
        count += piece.length;
        if (count >= bytes) sent.destroy();
      });
      reply.on('close', () => resolve(count));
      if (bytes === 0) sent.destroy();
    });
    sent.on('error', (error) => (sent.destroyed ? resolve(0) : reject(error)));
    sent.end('{}');
  });
}

/** What is in the folder of downloads, which is made with the first file. */
async function files(): Promise<string[]> {
  await mkdir(bed.services.downloadsFolder, { recursive: true });
  return readdir(bed.services.downloadsFolder);
}

/** Statements that are being run for the portal, and sessions that were left within a transaction. */
const busySessions = async () =>
  (
    await row<{ count: number }>(
      bed.services.database,
      sql`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`,
    )
  )?.count;

it('a download that is cut at any byte leaves no file and no open transaction, and the next one is whole', async () => {
  const whole = await bytesOf(await caller.send(downloadDrive, { params: drive, body: {} }));
  for (const bytes of [0, 1, 1_000, Math.floor(whole.length / 2), whole.length - 1])
    expect(await cutAfter(driveUrl(), bytes)).toBeLessThanOrEqual(whole.length);
  for (const bytes of [0, 1, 100_000]) await cutAfter(mailboxUrl(), bytes);
  await expect.poll(files, { timeout: 10_000 }).toEqual([]);
  await expect.poll(busySessions, { timeout: 10_000 }).toBe(0);
  const again = await bytesOf(await caller.send(downloadDrive, { params: drive, body: {} }));
  expect(sha256(again)).toBe(sha256(whole));
});

async function made() {
  const body = { downloadInBackground: true };
  const begun = await caller.send(downloadMailbox, { params: mailbox, body });
  return backgroundDownloadReply.parse(await begun.json()).download.id;
}

const read = async (id: string) => (await caller.call(readDownload, { params: { id } })).download;
const filesOf = async (id: string) => (await files()).filter((name) => name.startsWith(id));

it('a background download that is cancelled at any moment stays cancelled, and leaves no file', async () => {
  for (const state of ['queued', 'running'] as const) {
    const id = await made();
    const working = state === 'queued' ? null : bed.work();
    if (state === 'running') await expect.poll(async () => (await read(id)).status).not.toBe('queued');
    const action = { params: { id }, body: { action: 'cancel' as const } };
    const { status } = (await caller.call(cancelDownload, action)).download;
    await (working ?? bed.work());
    const after = await read(id);
    // One that was finished before it was cancelled stays; every other is cancelled, whatever its worker did meanwhile.
    expect(after.status).toBe(status);
    expect(await filesOf(id)).toHaveLength(after.status === 'finished' ? 1 : 0);
  }
});

/** Waits until a statement of the portal waits for a row that another transaction has. */
const isWaiting = () =>
  expect
    .poll(async () => {
      const found = await row<{ count: number }>(
        bed.services.database,
        sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return found?.count;
    })
    .toBeGreaterThan(0);

it('a background download that is cancelled while a worker begins it is not made', async () => {
  const id = await made();
  let working = Promise.resolve();
  await transaction(bed.services.database, async (connection) => {
    await execute(
      connection,
      sql`update restore_downloads set cancel_asked_at = now(), state = 'cancelled' where id = ${id}`,
    );
    working = bed.work();
    await isWaiting();
  });
  await working;
  expect((await read(id)).status).toBe('cancelled');
  expect(await filesOf(id)).toEqual([]);
});

it('a restore that is cancelled while a worker begins it writes nothing', async () => {
  const administrator = await bed.asAdministrator();
  const restoreSessionId = await openSessionOf(bed, administrator, 'vex');
  const params = { restoreSessionId, mailboxId: mailbox.mailboxId };
  const begun = await administrator.call(restoreMailboxToAnother, { params, body: { folder: 'Cancelled' } });
  const { id: operationId } = begun.data;
  let working = Promise.resolve();
  await transaction(bed.services.database, async (connection) => {
    await execute(
      connection,
      sql`update restore_operations set cancel_asked_at = now(), ended_at = now(), state = 'Cancelled' where id = ${operationId}`,
    );
    working = bed.work();
    await isWaiting();
  });
  await working;
  const { data } = await administrator.call(readRestoreOperation, { params: { operationId } });
  expect(data).toMatchObject({ state: 'Cancelled', done: 0 });
  const folders = await allOf(bed, `/users/${mailbox.mailboxId}/mailFolders`);
  expect(folders.map(({ displayName }) => displayName)).not.toContain('Cancelled');
});
