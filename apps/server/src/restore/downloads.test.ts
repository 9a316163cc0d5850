import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import {
  backgroundDownloadReply,
  cancelDownload,
  deleteDownload,
  fetchDownload,
  listDownloads,
  readDownload,
} from '@keepwatch/contract/restore/downloads';
import {
  downloadMailbox,
  downloadMailItems,
  listMailboxItems,
  listRestoreMailboxes,
  restoreMailboxToOriginal,
} from '@keepwatch/contract/restore/mailboxes';
import {
  listRestoreOperationItems,
  openRestoreSession,
  readRestoreOperation,
} from '@keepwatch/contract/restore/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { row } from '../foundation/database.ts';
import { announce } from '../foundation/outbox/domain-events.ts';
import { objectsErased } from '../microsoft365/erasures/erasure-events.ts';
import { settle } from '../testing/settle.ts';
import { type Caller, recordingQueue } from '../testing/test-portal.ts';
import { removeExpired } from './downloads/remove-expired.ts';
import { type RestoreBed, startRestoreBed } from './testing/restore-bed.ts';

let bed: RestoreBed;
let caller: Caller;
let params: { restoreSessionId: string; mailboxId: string };
beforeAll(async () => {
  bed = await startRestoreBed();
  caller = await bed.as('o365_admin');
  const { id: organizationId, companyId } = bed.organization;
  const datetime = new Date(Date.now() + 60_000).toISOString();
  const body = { companyId, organizationId, datetime, sessionType: 'vex' } as const;
  const restoreSessionId = (await caller.call(openRestoreSession, { body })).data.id;
  const mailboxes = (await caller.call(listRestoreMailboxes, { params: { restoreSessionId } })).data.results;
  const own = mailboxes.find(({ isArchive, isGroup }) => !isArchive && !isGroup);
  params = { restoreSessionId, mailboxId: own?.id ?? '' };
});
afterAll(() => bed.stop());

async function begun(): Promise<string> {
  const body = { downloadInBackground: true, fileName: 'Mail' } as const;
  const response = await caller.send(downloadMailbox, { params, body });
  expect(response.headers.get('content-type')).toContain('application/json');
  return backgroundDownloadReply.parse(await response.json()).download.id;
}

/** What a download is of: the object's key, and its repository. */
async function objectOf(download: string) {
  const found = await row<{ key: string; id: string }>(
    bed.services.database,
    sql`select download_order->'scope'->>'object' as key, download_order->'scope'->>'repositoryId' as id from restore_downloads where id = ${download}`,
  );
  if (found === null) throw new Error('There is no such download.');
  return { ...found, providerId: 1 };
}

const read = async (id: string) => (await caller.call(readDownload, { params: { id } })).download;
const fetched = (url: string, headers: Record<string, string> = {}) =>
  caller.raw('GET', `/api/o365/restore/downloads/proxy?url=${encodeURIComponent(url)}`, { headers });

describe('a background download', () => {
  it('is made by a worker, has its SHA-256, and goes on with a range', async () => {
    const id = await begun();
    expect(await read(id)).toMatchObject({ status: 'queued', url: null, fileName: 'Mail.pst' });
    await bed.work();
    const made = await read(id);
    expect(made).toMatchObject({ status: 'finished', missing: 0 });
    const url = made.url ?? '';
    const whole = Buffer.from(await (await fetched(url)).arrayBuffer());
    expect(createHash('sha256').update(whole).digest('hex')).toBe(made.sha256);
    expect(whole.subarray(0, 4).toString()).toBe('!BDN');
    const rest = await fetched(url, { range: 'bytes=1000-' });
    expect(rest.status).toBe(206);
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(1_000))).toBe(true);
    const { results, count } = await caller.call(listDownloads, { body: { status: 'finished' } });
    expect([count, results[0]?.id]).toEqual([1, id]);
    await caller.call(deleteDownload, { params: { id } });
    expect((await fetched(url)).status).toBe(404);
  });

  it('that was cancelled is made no more', async () => {
    const id = await begun();
    const { download } = await caller.call(cancelDownload, { params: { id }, body: { action: 'cancel' } });
    expect(download.status).toBe('cancelled');
    await bed.work();
    expect(await read(id)).toMatchObject({ status: 'cancelled', url: null });
    expect((await fetched(`/o365/restore/downloads/${id}`)).status).toBe(409);
  });

  it('goes when its time is over', async () => {
    const id = await begun();
    await bed.work();
    const later = new Date(Date.now() + 8 * 86_400_000);
    await removeExpired({ ...bed.services, now: () => later }, new AbortController().signal);
    expect(await read(id)).toMatchObject({ status: 'expired' });
    expect((await fetched(`/o365/restore/downloads/${id}`)).status).toBe(410);
  });

  it('and the items of a plan go when what they are of is erased; that there was one stays', async () => {
    const id = await begun();
    const plan = await caller.call(restoreMailboxToOriginal, { params, body: { planOnly: true } });
    await bed.work();
    const items = async () =>
      (await caller.call(listRestoreOperationItems, { params: { operationId: plan.data.id } })).count;
    expect(await items()).toBeGreaterThan(0);
    const { database } = bed.services;
    const { key, ...repository } = await objectOf(id);
    await announce(database, objectsErased, repository, { keys: ['another'] });
    await settle(database, recordingQueue([]));
    expect([await items(), (await read(id)).status]).toEqual([expect.any(Number), 'finished']);
    await announce(database, objectsErased, repository, { keys: [key] });
    await settle(database, recordingQueue([]));
    expect(await items()).toBe(0);
    expect((await fetched(`/o365/restore/downloads/${id}`)).status).toBe(410);
    await removeExpired(bed.services, new AbortController().signal);
    expect((await readdir(bed.services.downloadsFolder)).filter((name) => name.startsWith(id))).toEqual([]);
    expect(await read(id)).toMatchObject({ status: 'expired' });
    const { data } = await caller.call(readRestoreOperation, { params: { operationId: plan.data.id } });
    expect(data).toMatchObject({ state: 'Success' });
  });

  it('is not made to its end when what it is of is erased meanwhile', async () => {
    const id = await begun();
    const { database } = bed.services;
    const { key, ...repository } = await objectOf(id);
    await announce(database, objectsErased, repository, { keys: [key] });
    await settle(database, recordingQueue([]));
    await bed.work();
    expect(await read(id)).toMatchObject({ status: 'cancelled', message: expect.stringContaining('was erased') });
    expect((await readdir(bed.services.downloadsFolder)).filter((name) => name.startsWith(id))).toEqual([]);
  });

  it('is of its user alone', async () => {
    const id = await begun();
    const other = await bed.as('o365_admin');
    expect((await other.send(readDownload, { params: { id } })).status).toBe(404);
    expect((await other.send(cancelDownload, { params: { id }, body: { action: 'cancel' } })).status).toBe(404);
    expect((await other.send(deleteDownload, { params: { id } })).status).toBe(404);
    expect((await other.send(fetchDownload, { query: { url: 'https://elsewhere.test/' } })).status).toBe(404);
    expect((await other.call(listDownloads, { body: {} })).count).toBe(0);
  });
});

describe('a download at once', () => {
  it('is a PST of some messages, or one as EML', async () => {
    const query = { parentId: 'Root', limit: 1 };
    expect((await caller.call(listMailboxItems, { params, query })).data.results).toEqual([]);
    const pst = await caller.send(downloadMailbox, { params, body: {} });
    expect(pst.headers.get('content-type')).toBe('application/vnd.ms-outlook');
    expect(
      Buffer.from(await pst.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('!BDN');
    const several = { items: [{ id: 'a' }, { id: 'b' }], format: 'eml' as const };
    expect((await caller.send(downloadMailItems, { params, body: several })).status).toBe(422);
    const missing = { items: [{ id: 'a' }] };
    expect((await caller.send(downloadMailItems, { params, body: missing })).status).toBe(404);
  });
});
