import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import type { ContentName, ItemKind, ItemVersion } from '../../../model/items.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { smallDriveOf } from '../../../testing/graph/graph-drive.ts';
import { mailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import type { Hashes } from '../../originals.ts';
import type { GraphConnection } from '../connection.ts';
import { openGraphSource } from '../graph-source.ts';
import { openGraphOriginals } from './graph-originals.ts';
import { hashesOf } from './hashes.ts';

const { signal } = new AbortController();
let tenant: RunningTenant;
let connection: GraphConnection;
let drive: Replica;
let mailbox: Replica;

beforeAll(async () => {
  ({ tenant, connection } = await startConnected());
  const source = openGraphSource(connection);
  drive = new Replica(source, await smallDriveOf(source, tenant));
  mailbox = new Replica(source, await mailboxOf(source));
  await drive.read();
  await mailbox.read();
}, 60_000);
afterAll(() => tenant.stop());

const originals = (connect = () => Promise.resolve(connection)) => openGraphOriginals(connect, signal);

/** An item as it was read, with the hashes of what would come back of it. */
async function itemOf(replica: Replica, kind: ItemKind, content: ContentName) {
  const found = [...replica.items.values()].find(({ item, bytes }) => item.kind === kind && bytes.has(content));
  if (found === undefined) throw new Error(`There is no ${kind} with ${content}.`);
  const version: ItemVersion = { ...found.item, firstRevision: 1, lastRevision: null, endedAt: null };
  return { object: replica.object, version, hashes: await hashesOf(streamOf(found.bytes.get(content))) };
}

async function* streamOf(bytes: Uint8Array = Buffer.alloc(0)) {
  yield bytes;
}

interface Found {
  object: ProtectedObject;
  version: ItemVersion;
  hashes: Hashes;
}
const compare = ({ object, version, hashes }: Found, content: ContentName, at = originals()) =>
  at.compare(object, version, new Map([[content, hashes]]));

const others: Hashes = { sizeBytes: 1, sha256: 'another', quickXor: 'another' };
const withTag = (found: Found, tag: string): Found => ({
  ...found,
  version: { ...found.version, details: { ...found.version.details, tag } },
});

describe('a file of a drive', () => {
  it('is the same by the hash that the drive lists, and by its bytes where that is another one', async () => {
    const found = await itemOf(drive, 'file', 'file');
    expect(await compare(found, 'file')).toEqual({ outcome: 'same', reason: null });
    const unlisted = { ...found, hashes: { ...found.hashes, quickXor: 'another' } };
    expect(await compare(unlisted, 'file')).toEqual({ outcome: 'same', reason: null });
  });

  it('differs where other bytes came back of it, and the drive says that they did not change', async () => {
    const found = { ...(await itemOf(drive, 'file', 'file')), hashes: others };
    const reason = expect.stringContaining('other bytes');
    expect(await compare(found, 'file')).toEqual({ outcome: 'differs', reason });
  });

  it('has changed where its tag is another one, and is gone where the drive does not have it', async () => {
    const found = await itemOf(drive, 'file', 'file');
    expect(await compare(withTag(found, 'earlier'), 'file')).toEqual({ outcome: 'changed', reason: null });
    const gone = { ...found, version: { ...found.version, id: '01NOTHERE' } };
    expect(await compare(gone, 'file')).toEqual({ outcome: 'gone', reason: null });
  });
});

describe('a message', () => {
  it('is the same by its MIME; another MIME of an unchanged one is no fault', async () => {
    const found = await itemOf(mailbox, 'message', 'mime');
    expect(await compare(found, 'mime')).toEqual({ outcome: 'same', reason: null });
    const reason = expect.stringContaining('in another way this time');
    expect(await compare({ ...found, hashes: others }, 'mime')).toEqual({ outcome: 'not-compared', reason });
    expect(await compare(withTag(found, 'earlier'), 'mime')).toEqual({ outcome: 'changed', reason: null });
  });
});

describe('other items', () => {
  it('are not compared, nor is anything where the tenant cannot be asked, which is tried once', async () => {
    const event = await itemOf(mailbox, 'event', 'properties');
    const reason = 'Only files and messages of mailboxes are compared.';
    expect(await compare(event, 'properties')).toEqual({ outcome: 'not-compared', reason });
    let times = 0;
    const away = originals(() => {
      times += 1;
      return Promise.reject(new Error('No application.'));
    });
    const file = await itemOf(drive, 'file', 'file');
    for (let at = 0; at < 3; at += 1)
      expect(await compare(file, 'file', away)).toEqual({ outcome: 'not-compared', reason: 'No application.' });
    expect(times).toBe(1);
  });
});
