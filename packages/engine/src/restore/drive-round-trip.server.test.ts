import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import { segmentChunks } from '../model/segment-chunks.ts';
import type { ChunkPlace } from '../repository/commit.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { openGraphDrive } from '../source/graph/write-drives/graph-drive.ts';
import type { TargetContent } from '../source/target.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { journalFile } from './journal-files.ts';
import { DrivePlace } from './places/drive-place.ts';
import { type RestoreRequest, restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';
import { driveStateOf } from './testing/drive-state.ts';
import { KILLED } from './testing/memory-mailbox.ts';

let stored: StoredBackup;
let from: GraphConnection;
let to: GraphConnection;
const running: RunningTenant[] = [];
beforeEach(async () => {
  stored = await StoredBackup.create();
  const one = await startConnected({ size: 'small', budgets: false });
  const other = await startConnected({ size: 'small', seed: 77, budgets: false });
  running.push(one.tenant, other.tenant);
  [from, to] = [one.connection, other.connection];
});
afterEach(async () => {
  await stored.close();
  for (const tenant of running.splice(0)) await tenant.stop();
});

const signal = new AbortController().signal;
const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal });

/** The first OneDrives of people, stored, each with one of the other tenant that was emptied. */
async function pairs(countMax = Number.POSITIVE_INFINITY) {
  const [drives, others] = [await personalDrives(from), await personalDrives(to)];
  const found = drives
    .slice(0, Math.min(others.length, countMax))
    .map((drive, at) => ({ drive, target: others[at]?.id ?? '' }));
  await stored.backUpOnly(
    openGraphSource(from),
    found.map(({ drive }) => drive),
  );
  for (const { target } of found) {
    const drive = openGraphDrive(to, target);
    for (const { id } of await drive.children(await drive.rootId(signal), signal)) await drive.delete(id, signal);
  }
  return found;
}

/** The targets as they are backed up after a restore. */
async function readBack(targets: readonly string[]): Promise<ProtectedObject[]> {
  const source = openGraphSource(to);
  const back = (await objectsIn(source, 'drive')).filter(({ id }) => targets.includes(id));
  await stored.backUpOnly(source, back);
  return back;
}

/** Where the newest bytes of a file are. */
async function chunksOf(drive: ProtectedObject, id: string): Promise<readonly ChunkPlace[]> {
  const { object, revision } = await stored.scopeOf(drive);
  const item = await stored.catalog.item(object.key, revision, id);
  const content = item?.contents.find(({ name }) => name === 'file');
  if (content === undefined) throw new Error(`${id} was not stored.`);
  const ids = [...segmentChunks(await stored.repository.segmentsOf(content, stored.catalog))];
  return [...(await stored.catalog.locate(ids)).values()].flat();
}

/** Changes the first byte of chunks, and changes it back the next time. */
async function flip(chunks: readonly ChunkPlace[]): Promise<void> {
  for (const { pack, offset } of chunks) {
    const path = join(stored.folder, 'repository', 'packs', pack.slice(0, 2), pack);
    const bytes = await readFile(path);
    bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset);
    await writeFile(path, bytes);
  }
}

async function personalDrives(connection: GraphConnection): Promise<ProtectedObject[]> {
  const drives = await objectsIn(openGraphSource(connection), 'drive');
  return drives.filter(({ owner }) => owner?.startsWith('user/'));
}

async function request(
  drive: ProtectedObject,
  target: string,
  over: Partial<RestoreOptions> = {},
): Promise<RestoreRequest> {
  const options = { ...RESTORE_OPTIONS, permissions: true, ...over };
  return {
    scope: await stored.scopeOf(drive),
    options,
    to: target,
    place: (paths, until) => new DrivePlace(openGraphDrive(to, target), paths, options, until),
  };
}

describe('Drives that go through the repository into an empty tenant', () => {
  test('are there again with every file, version and byte, each once', async () => {
    const all = await pairs();
    let [items, versions] = [0, 0];
    const losses = new Map<string, number>();
    for (const { drive, target } of all) {
      const result = await restore(parts(), await request(drive, target));
      const outcome = Object.keys(result.losses).length > 0 ? 'Warning' : 'Success';
      expect(result).toMatchObject({ failed: 0, outcome, failures: [] });
      items += result.restored;
      for (const [loss, count] of Object.entries(result.losses)) losses.set(loss, (losses.get(loss) ?? 0) + count);
    }
    const back = await readBack(all.map(({ target }) => target));
    for (const { drive, target } of all) {
      const other = back.find(({ id }) => id === target);
      if (other === undefined) throw new Error(`${target} was not read back.`);
      const was = await driveStateOf(parts(), await stored.scopeOf(drive));
      expect(await driveStateOf(parts(), await stored.scopeOf(other))).toEqual(was);
      versions += was.flatMap((text) => text.match(/"versions\//g) ?? []).length;
    }
    expect(items).toBeGreaterThan(50);
    // The people of one tenant do not exist in the other: that is reported, and the files are there.
    expect([...losses.keys()]).toEqual([expect.stringContaining('some of its sharing')]);
    console.log(`Round trip: ${all.length} drives, ${items} files, ${versions} earlier versions, all equal.`);
  }, 300_000);

  test('killed again and again, leave nothing doubled and nothing missing', async () => {
    const [first] = await pairs(1);
    if (first === undefined) throw new Error('There is no drive.');
    const what = await request(first.drive, first.target);
    const journalPath = stored.file('restore.jsonl');
    let kills = 0;
    for (let isOver = false; !isOver; ) {
      let left = 4 + 5 * kills;
      const place: RestoreRequest['place'] = (paths, until) => {
        const drive = openGraphDrive(to, first.target);
        const write: typeof drive.write = async (...args) => {
          left -= 1;
          if (left === 0 && kills < 6) throw KILLED;
          const written = await drive.write(...args);
          if (left === 1 && kills % 2 === 1 && kills < 6) throw KILLED;
          return written;
        };
        return new DrivePlace(Object.assign(Object.create(drive), { write }), paths, what.options, until);
      };
      isOver = await restore({ ...parts(), journals: journalFile(journalPath) }, { ...what, place }).then(
        (result) => result.failed === 0,
        (error: unknown) => {
          if (error !== KILLED) throw error;
          kills += 1;
          return false;
        },
      );
    }
    expect(kills).toBeGreaterThan(3);
    const [other] = await readBack([first.target]);
    if (other === undefined) throw new Error('It was not read back.');
    expect(await driveStateOf(parts(), await stored.scopeOf(other))).toEqual(
      await driveStateOf(parts(), await stored.scopeOf(first.drive)),
    );
  }, 300_000);

  test.each(['skip', 'replace'] as const)(
    'leave nothing of a file whose newest bytes cannot be read, and bring it once they can (%s)',
    async (conflict) => {
      const [first] = await pairs(1);
      if (first === undefined) throw new Error('There is no drive.');
      const drive = openGraphDrive(from, first.drive.id);
      const root = await drive.rootId(signal);
      const bytesOf = (text: string): TargetContent => {
        const bytes = createHash('shake256', { outputLength: 600_000 }).update(text).digest();
        return {
          name: 'file',
          sizeBytes: bytes.length,
          open: async function* () {
            yield bytes;
          },
        };
      };
      const made = await drive.write({ folderId: root, name: 'report.txt' }, bytesOf('first'), {}, signal);
      await drive.write({ id: made.id }, bytesOf('other'), {}, signal);
      await stored.backUpOnly(openGraphSource(from), [first.drive]);
      await drive.write({ id: made.id }, bytesOf('third'), {}, signal);
      await stored.backUpOnly(openGraphSource(from), [first.drive]);
      const target = openGraphDrive(to, first.target);
      const top = await target.rootId(signal);
      if (conflict === 'replace')
        await target.write({ folderId: top, name: 'report.txt' }, bytesOf('mine!'), {}, signal);
      const there = async () => (await target.children(top, signal)).find(({ name }) => name === 'report.txt');
      const untouched = await there();
      const chunks = await chunksOf(first.drive, made.id);
      await flip(chunks);
      const restored = async () => {
        const of = await request(first.drive, first.target, { conflict });
        return restore(parts(), { ...of, scope: { ...of.scope, items: [made.id] } });
      };
      expect((await restored()).failures.map(({ name }) => name)).toEqual(['report.txt']);
      expect((await there())?.hash).toEqual(untouched?.hash);
      await flip(chunks);
      expect(await restored()).toMatchObject({ failed: 0 });
      expect((await there())?.hash).toBe(await target.hashOf(bytesOf('third').open()));
    },
    300_000,
  );

  test('leave what is unchanged alone, and keep both where it was asked for', async () => {
    const [first] = await pairs(1);
    if (first === undefined) throw new Error('There is no drive.');
    const done = await restore(parts(), await request(first.drive, first.target));
    const again = await restore(parts(), await request(first.drive, first.target, { conflict: 'replace' }));
    expect(again).toMatchObject({ restored: 0, replaced: 0, skipped: done.restored + done.skipped });
    const root = await openGraphDrive(to, first.target).rootId(signal);
    const file = (await openGraphDrive(to, first.target).children(root, signal)).find(
      ({ isFolder, sizeBytes }) => !isFolder && sizeBytes > 0,
    );
    if (file === undefined) throw new Error('There is no file at the top.');
    await to.ask({
      method: 'PUT',
      path: `/drives/${first.target}/items/${file.id}/content`,
      body: Buffer.from('changed'),
      signal,
    });
    const both = await restore(parts(), await request(first.drive, first.target, { conflict: 'keep-both' }));
    expect(both).toMatchObject({ restored: 1 });
    const names = (await openGraphDrive(to, first.target).children(root, signal)).map(({ name }) => name);
    expect(names.filter((name) => name.includes('(restored)'))).toHaveLength(1);
  }, 300_000);

  test('bring back how a folder was shared with the folder, and with no folder that is there', async () => {
    const [drive] = await personalDrives(from);
    if (drive === undefined) throw new Error('There is no drive.');
    const graph = openGraphDrive(from, drive.id);
    const root = await graph.rootId(signal);
    const folder = await graph.createFolder(root, { name: 'Shared folder', times: {} }, signal);
    const stays = await graph.createFolder(root, { name: 'Folder that stays', times: {} }, signal);
    const { users } = running[0]?.tenant.directory ?? { users: [] };
    const email = users.find(({ mail, id }) => mail !== null && !drive.owner?.endsWith(id))?.mail;
    const permissions = (id: string) => `/drives/${drive.id}/items/${id}/permissions`;
    const invite = { recipients: [{ email }], roles: ['write'], requireSignIn: true, sendInvitation: false };
    for (const { id } of [folder, stays])
      await from.ask({ method: 'POST', path: `/drives/${drive.id}/items/${id}/invite`, body: invite });
    await stored.backUpOnly(openGraphSource(from), [drive]);
    await graph.delete(folder.id, signal);
    const [given] = (await from.page({ path: permissions(stays.id) })).value.filter((one) => !('inheritedFrom' in one));
    await from.ask({ method: 'DELETE', path: `${permissions(stays.id)}/${given?.['id']}` });
    const options = { ...RESTORE_OPTIONS, permissions: true };
    const result = await restore(parts(), {
      ...(await request(drive, drive.id)),
      place: (paths, until) => new DrivePlace(graph, paths, options, until),
    });
    expect(result).toMatchObject({ failed: 0 });
    const made = (await graph.children(root, signal)).find(({ name }) => name === 'Shared folder');
    const sharedWith = async (id: string) =>
      JSON.stringify((await from.page({ path: permissions(id) })).value).includes(String(email));
    expect(await sharedWith(made?.id ?? '')).toBe(true);
    expect(await sharedWith(stays.id)).toBe(false);
  }, 300_000);
});
