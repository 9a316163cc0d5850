import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { exportPst } from '../export/pst-export.ts';
import { exportZip } from '../export/zip-export.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { openGraphMailboxOfArchive } from '../source/graph/target/imported-mailbox.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { observedSend } from '../testing/observed-send.ts';
import { MailboxPlace } from './places/mailbox-place.ts';
import { restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';

const signal = new AbortController().signal;
let stored: StoredBackup;
let archive: ProtectedObject;
let from: GraphConnection;
let total: number;
/** A request is sent as it is, unless a test loses its answer. */
let onAnswer: (url: string) => void;
const running: RunningTenant[] = [];

beforeEach(async () => {
  onAnswer = () => undefined;
  stored = await StoredBackup.create();
  from = await connected('small', 1);
  const source = openGraphSource(from);
  const [found] = await objectsIn(source, 'archive');
  if (found === undefined) throw new Error('The tenant has no archive.');
  archive = found;
  await stored.backUpFrom(source, 'archive');
  total = itemsIn(tenantOf(from), 'archive');
});
afterEach(async () => {
  await stored.close();
  for (const tenant of running.splice(0)) await tenant.stop();
});

async function connected(size: 'small' | 'empty', seed: number): Promise<GraphConnection> {
  const send = observedSend(({ url }) => onAnswer(url));
  const { tenant, connection } = await startConnected({ size, seed, budgets: false }, { send });
  running.push(tenant);
  return connection;
}

function tenantOf({ tenantId }: GraphConnection): RunningTenant {
  const found = running.find((one) => one.tenantId === tenantId);
  if (found === undefined) throw new Error('No such tenant is running.');
  return found;
}

/** How many items are in the archive, or in the mailbox beside it. */
function itemsIn({ tenant }: RunningTenant, which: 'archive' | 'primary'): number {
  const ids = tenant.mailboxes.idsOf(tenant.directory.user(archive.id));
  const folders = tenant.mailboxes.find(ids[which] ?? '')?.folders.values() ?? [];
  return [...folders].reduce((sum, { itemCount }) => sum + itemCount, 0);
}

async function restored(connection: GraphConnection, options: Partial<RestoreOptions> = {}) {
  const object = await stored.catalog.object(stored.repository.objectKey(archive));
  if (object === null) throw new Error('The archive was not stored.');
  const all = { ...RESTORE_OPTIONS, ...options };
  const { id } = archive;
  const tenant = openGraphTarget(connection);
  const target =
    all.into === null
      ? tenant.mailbox({ kind: 'archive', id })
      : openGraphMailboxOfArchive(connection, id, tenant.mailbox({ kind: 'mailbox', id }));
  return restore(
    { repository: stored.repository, catalog: stored.catalog, signal },
    {
      scope: { object, revision: object.revision, items: null },
      options: all,
      to: archive.id,
      place: (paths, until) => new MailboxPlace(target, paths, all.into, until),
    },
  );
}

/** A tenant with the same people, whose mailboxes and archives are empty. */
async function emptied(): Promise<GraphConnection> {
  const connection = await connected('empty', 77);
  const { directory } = tenantOf(connection).tenant;
  for (const user of tenantOf(from).tenant.directory.users) if (user.mailbox) directory.putUser({ ...user });
  return connection;
}

test('an archive that is as it was stays as it is, and so does the mailbox beside it', async () => {
  const before = itemsIn(tenantOf(from), 'primary');
  expect(await restored(from)).toMatchObject({ outcome: 'Success', restored: 0, skipped: total, failed: 0 });
  expect([itemsIn(tenantOf(from), 'archive'), itemsIn(tenantOf(from), 'primary')]).toEqual([total, before]);
});

test('archived items go into the archive, each once, and what has no folder there is reported with what to do', async () => {
  const to = await emptied();
  const result = await restored(to);
  expect(itemsIn(tenantOf(to), 'primary')).toBe(0);
  expect(itemsIn(tenantOf(to), 'archive')).toBe(result.restored);
  expect(result.restored).toBeGreaterThan(0);
  for (const { reason } of result.failures) expect(reason).toMatch(/Make it in Outlook/);
  const items = result.failures.filter(({ kind }) => ['message', 'event', 'contact', 'task'].includes(kind));
  expect(result.restored + items.length).toBe(total);
  expect(await restored(to)).toMatchObject({ restored: 0, skipped: result.restored });
  expect(itemsIn(tenantOf(to), 'archive')).toBe(result.restored);
});

test('an item is imported once although the answer was lost', async () => {
  const to = await emptied();
  let isLost = false;
  onAnswer = (url) => {
    if (!url.includes('/import/') || isLost) return;
    isLost = true;
    throw new TypeError('The answer was lost.');
  };
  const { restored: count } = await restored(to);
  expect(isLost).toBe(true);
  expect(itemsIn(tenantOf(to), 'archive')).toBe(count);
});

test('archived items that changed are replaced where they are', async () => {
  const to = await emptied();
  const { restored: count } = await restored(to);
  expect(await restored(to, { conflict: 'replace' })).toMatchObject({ replaced: count, restored: 0 });
  expect(itemsIn(tenantOf(to), 'archive')).toBe(count);
});

test('archived items go into the mailbox in a folder of their own alone, each once', async () => {
  const to = await emptied();
  const result = await restored(to, { into: 'From the archive' });
  expect(result).toMatchObject({ restored: total, failed: 0 });
  expect([itemsIn(tenantOf(to), 'archive'), itemsIn(tenantOf(to), 'primary')]).toEqual([0, total]);
  expect(await restored(to, { into: 'From the archive' })).toMatchObject({ restored: 0, skipped: total });
  expect(itemsIn(tenantOf(to), 'primary')).toBe(total);
});

test('an archive is no PST, and says so before anything is written; a ZIP has every item as an import takes it', async () => {
  const object = await stored.catalog.object(stored.repository.objectKey(archive));
  if (object === null) throw new Error('The archive was not stored.');
  const parts = { repository: stored.repository, catalog: stored.catalog, signal };
  const scope = { object, revision: object.revision, items: null };
  const pst = stored.file('archive.pst');
  await expect(exportPst(parts, scope, pst)).rejects.toThrow(/no PST can be made.*ZIP/);
  expect(existsSync(pst)).toBe(false);
  const zip = stored.file('archive.zip');
  expect(await exportZip(parts, scope, zip)).toMatchObject({ items: total, missing: [], without: [] });
  const to = await emptied();
  const { archive: id = '' } = tenantOf(to).tenant.mailboxes.idsOf(tenantOf(to).tenant.directory.user(archive.id));
  const session = await to.ask({ method: 'POST', path: `/admin/exchange/mailboxes/${id}/createImportSession` });
  const streams = streamsIn(zip);
  expect(streams).toHaveLength(total);
  for (const Data of streams.slice(0, 10))
    await to.ask({
      method: 'POST',
      path: String(session['importUrl']),
      body: { FolderId: 'inbox', Mode: 'create', Data },
    });
  expect(itemsIn(tenantOf(to), 'archive')).toBe(10);
});

/** What the streams of a ZIP are in base64, read by a program that knows nothing of us. */
function streamsIn(path: string): string[] {
  const script =
    'import sys,zipfile,json,base64\nz=zipfile.ZipFile(sys.argv[1])\nprint(json.dumps([base64.b64encode(z.read(i)).decode() for i in z.infolist() if i.filename.endswith(".fts")]))';
  const streams: string[] = JSON.parse(
    execFileSync('python3', ['-c', script, path], { maxBuffer: 1 << 28 }).toString(),
  );
  return streams;
}
