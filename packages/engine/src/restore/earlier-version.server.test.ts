import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { listParts, openPart, restore } from '../engine.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { openGraphDrive } from '../source/graph/write-drives/graph-drive.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { journalFolder } from './journal-files.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';

let stored: StoredBackup;
let tenant: RunningTenant;
let connection: GraphConnection;
beforeEach(async () => {
  stored = await StoredBackup.create();
  ({ tenant, connection } = await startConnected({ budgets: false }));
});
afterEach(async () => {
  await stored.close();
  await tenant.stop();
});

const { signal } = new AbortController();
const work = { signal, onEvent: () => undefined };

/** A file with earlier versions of other bytes, and its drive. */
async function fileWithVersions() {
  await stored.backUpFrom(openGraphSource(connection), 'drive');
  for await (const object of stored.catalog.listObjects()) {
    if (object.owner?.startsWith('user/') !== true) continue;
    for await (const item of stored.catalog.walk(object.key, object.revision, null)) {
      const parts = await listParts(stored, item, signal);
      const [current, ...earlier] = parts;
      const chosen = earlier.find(({ sizeBytes }) => sizeBytes !== current?.sizeBytes);
      if (chosen !== undefined) return { object, item, chosen };
    }
  }
  throw new Error('The tenant has no file with earlier versions.');
}

async function bytesOf(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of bytes) read.push(piece);
  return Buffer.concat(read);
}

test('a file becomes one of its earlier versions, in place or beside, and is left alone when it is that already', async () => {
  const { object, item, chosen } = await fileWithVersions();
  const { bytes } = await openPart(stored, item, chosen.id, signal);
  const expected = await bytesOf(bytes());
  const scope = { object, revision: object.revision, items: [item.id] };
  const order = (over: Partial<RestoreOptions>) => ({
    scope,
    options: { ...RESTORE_OPTIONS, earlierVersion: chosen.id.slice('versions/'.length), ...over },
    journals: journalFolder(join(stored.folder, 'restores')),
  });
  const replaced = await restore(stored, connection, order({ conflict: 'replace' }), work);
  expect(replaced).toMatchObject({ outcome: 'Success', replaced: 1, failed: 0 });
  const now = connection.download({ path: `/drives/${object.id}/items/${item.id}/content`, signal });
  expect((await bytesOf(now)).equals(expected)).toBe(true);
  const again = await restore(stored, connection, order({ conflict: 'replace' }), work);
  expect(again).toMatchObject({ outcome: 'Success', replaced: 0, skipped: 1 });
  const beside = await restore(stored, connection, order({ into: 'As it was' }), work);
  expect(beside).toMatchObject({ outcome: 'Success', restored: 1 });
  const drive = openGraphDrive(connection, object.id);
  const top = await drive.children(await drive.rootId(signal), signal);
  expect(top.map(({ name }) => name)).toContain('As it was');
});

test('a version that is not stored, and one of more than one file, is refused before anything is written', async () => {
  const { object, item } = await fileWithVersions();
  const journals = journalFolder(join(stored.folder, 'restores'));
  const scope = { object, revision: object.revision, items: [item.id] };
  const options = { ...RESTORE_OPTIONS, earlierVersion: '99.0' };
  expect(await restore(stored, connection, { scope, options, journals }, work)).toMatchObject({
    outcome: 'Failed',
    failures: [expect.objectContaining({ reason: expect.stringMatching(/no earlier version 99\.0/) })],
  });
  await expect(
    restore(stored, connection, { scope: { ...scope, items: null }, options, journals }, work),
  ).rejects.toMatchObject({ code: 'bad-request' });
});
