import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { DRIVE, type GivenItem } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { DriveTarget } from '../source/drive-target.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { openGraphDrive } from '../source/graph/write-drives/graph-drive.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { observedSend } from '../testing/observed-send.ts';
import { journalFile } from './journal-files.ts';
import { DrivePlace } from './places/drive-place.ts';
import { restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';
import { KILLED } from './testing/memory-mailbox.ts';

const signal = new AbortController().signal;
const PERSONS = 'WRITTEN BY A PERSON';

let stored: StoredBackup;
let journalPath: string;
let tenant: RunningTenant;
let connection: GraphConnection;
let driveId: string;
let drive: DriveTarget;
let root: string;
/** Called after a request was carried out and before its answer is returned; what it throws loses the answer. */
let onAnswer: (url: string, method: string) => void | Promise<void>;

beforeEach(async () => {
  onAnswer = () => undefined;
  const send = observedSend(({ url, method }) => onAnswer(url, method));
  stored = await StoredBackup.create();
  journalPath = stored.file('restore.jsonl');
  ({ tenant, connection } = await startConnected({ budgets: false }, { send }));
  driveId = (await objectsIn(openGraphSource(connection), 'drive'))[0]?.id ?? '';
  drive = openGraphDrive(connection, driveId);
  root = await drive.rootId(signal);
});
afterEach(async () => {
  await stored.close();
  await tenant.stop();
});

const file = (name: string, text = `STORED ${name}`): GivenItem => ({
  id: name,
  kind: 'file',
  name,
  parentId: null,
  contents: { properties: '{}', file: text },
});

/** What a person does in the drive. */
async function put(name: string, text: string): Promise<void> {
  const path = `/drives/${driveId}/items/${root}:/${name}:/content`;
  const headers = { 'content-type': 'text/plain' };
  await connection.ask({ method: 'PUT', path, headers, body: Buffer.from(text) });
}

async function contentOf(name: string): Promise<string | null> {
  const found = (await drive.children(root, signal)).find((child) => child.name === name);
  if (found === undefined) return null;
  return (await connection.askBytes({ path: `/drives/${driveId}/items/${found.id}/content` })).toString();
}

/** Restores into the drive. @param write what becomes of the writing of a file; the drive itself otherwise */
async function restored(
  items: readonly GivenItem[],
  options: Partial<RestoreOptions> = {},
  write: (own: DriveTarget['write']) => DriveTarget['write'] = (own) => own,
) {
  const target: DriveTarget = Object.assign(Object.create(drive), { write: write(drive.write.bind(drive)) });
  const all = { ...RESTORE_OPTIONS, ...options };
  const { repository, catalog } = stored;
  const parts = { repository, catalog, signal, itemsAtOnce: 1, journals: journalFile(journalPath) };
  const scope = { ...(await stored.backUp(DRIVE, items)), items: null };
  const place = (paths: ConstructorParameters<typeof DrivePlace>[1], until: AbortSignal) =>
    new DrivePlace(target, paths, { ...all, into: null }, until);
  return restore(parts, { scope, options: all, to: driveId, place });
}

const killed = () => () => Promise.reject(KILLED);

describe("A person's file", () => {
  test.each(['skip', 'keep-both'] as const)(
    'made after a restore was killed stays, whatever it had begun: %s',
    async (conflict) => {
      await expect(restored([file('Alpha.txt')], { conflict }, killed)).rejects.toBe(KILLED);
      await put('Alpha.txt', PERSONS);
      const result = await restored([file('Alpha.txt')], { conflict });
      expect(result).toMatchObject({ failed: 0, restored: conflict === 'skip' ? 0 : 1 });
      expect(await contentOf('Alpha.txt')).toBe(PERSONS);
      expect(await contentOf('Alpha (restored).txt')).toBe(conflict === 'skip' ? null : 'STORED Alpha.txt');
    },
  );

  test.each(['Alpha.txt', 'Alpha (restored).txt'])('made while the restore runs stays: %s', async (name) => {
    if (name !== 'Alpha.txt') await put('Alpha.txt', 'CHANGED');
    let isFirst = true;
    const result = await restored([file('Alpha.txt')], { conflict: 'keep-both' }, (own) => async (...given) => {
      if (isFirst) await put(name, PERSONS);
      isFirst = false;
      return own(...given);
    });
    expect(result).toMatchObject({ failed: 0, restored: 1 });
    expect(await contentOf(name)).toBe(PERSONS);
    const own = name === 'Alpha.txt' ? 'Alpha (restored).txt' : 'Alpha (restored 2).txt';
    expect(await contentOf(own)).toBe('STORED Alpha.txt');
  });

  test('of the same size is not mistaken for the restored one when an answer was lost', async () => {
    const text = 'A'.repeat(PERSONS.length);
    let isLost = false;
    onAnswer = async (url, method) => {
      if (method !== 'PUT' || !url.includes('uploadSessions') || isLost) return;
      isLost = true;
      const own = (await drive.children(root, signal)).find(({ name }) => name === 'Alpha.txt');
      await drive.delete(own?.id ?? '', signal);
      await put('Alpha.txt', PERSONS);
      throw new TypeError('The answer was lost.');
    };
    const result = await restored([file('Alpha.txt', text)]);
    expect(isLost).toBe(true);
    expect(result.restored).toBe(0);
    expect(await contentOf('Alpha.txt')).toBe(PERSONS);
  });
});

describe('A restore of files', () => {
  test.each([0, 10])('writes a file of %i bytes once although the answer was lost', async (size) => {
    let isLost = false;
    onAnswer = (url, method) => {
      if (method !== 'PUT' || !/uploadSessions|content/.test(url) || isLost) return;
      isLost = true;
      throw new TypeError('The answer was lost.');
    };
    const result = await restored([file('Alpha.txt', 'A'.repeat(size))]);
    expect(isLost).toBe(true);
    expect(result).toMatchObject({ outcome: 'Success', restored: 1 });
    expect(await contentOf('Alpha.txt')).toBe('A'.repeat(size));
    expect((await drive.children(root, signal)).filter(({ name }) => name.startsWith('Alpha'))).toHaveLength(1);
  });

  test('takes away what it had begun when it was killed between two versions, and writes both', async () => {
    const contents = {
      properties: JSON.stringify({ versions: [{ id: '2' }, { id: '1' }] }),
      file: 'NEW',
      'versions/1': 'OLD',
    };
    const item: GivenItem = { ...file('Alpha.txt'), contents };
    let writes = 0;
    const dies =
      (own: DriveTarget['write']) =>
      (...given: Parameters<DriveTarget['write']>) => {
        writes += 1;
        return writes === 2 ? Promise.reject(KILLED) : own(...given);
      };
    await expect(restored([item], {}, dies)).rejects.toBe(KILLED);
    expect(await contentOf('Alpha.txt')).toBe('OLD');
    expect(await restored([item])).toMatchObject({ outcome: 'Success', restored: 1 });
    expect(await contentOf('Alpha.txt')).toBe('NEW');
    const id = (await drive.children(root, signal)).find(({ name }) => name === 'Alpha.txt')?.id;
    expect((await connection.page({ path: `/drives/${driveId}/items/${id}/versions` })).value).toHaveLength(2);
  });

  test('asks for the list of a folder once, however many files it puts there', async () => {
    let lists = 0;
    onAnswer = (url) => {
      if (url.includes('/children')) lists += 1;
    };
    await restored(Array.from({ length: 20 }, (_, at) => file(`File ${at}.txt`)));
    expect(lists).toBeLessThan(5);
  });
});
