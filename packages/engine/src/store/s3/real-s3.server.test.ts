import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteObjectCommand, ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectStoreSuite } from '../../suites/object-store-suite.ts';
import type { ObjectStore } from '../object-store.ts';
import { openS3Store } from './open-s3-store.ts';
import { type BucketKind, bucketPlace, clientOf, makeBucket, settingsOf } from './s3-place.fixture.ts';
import { S3_SERVER_SCRIPT, startS3Server } from './s3-server.fixture.ts';

const run = promisify(execFile);
const HOUR_MS = 3_600_000;
const LARGE_BYTES = 33 * 2 ** 20;

if (S3_SERVER_SCRIPT === '') {
  const why = 'set KEEPWATCH_S3_SERVER to a script that starts a real S3 server';
  console.log(`The tests of buckets with versions and object lock are skipped: ${why}.`);
  test.skip(`a real S3 server: ${why}`, () => undefined);
} else describe('a real S3 server', realServerTests);

function realServerTests(): void {
  let server: Awaited<ReturnType<typeof startS3Server>>;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server?.stop());

  const kinds: BucketKind[] = ['plain', 'versioned', 'locking'];
  for (const kind of kinds)
    objectStoreSuite(`a bucket (${kind})`, async () => {
      const bucket = await makeBucket(server, kind);
      return { makePlace: async () => bucketPlace(server, bucket), stop: async () => undefined };
    });

  async function openIn(kind: BucketKind, prefix = '') {
    const bucket = await makeBucket(server, kind);
    const store = await openS3Store(settingsOf(server, bucket, prefix));
    return { bucket, store, client: clientOf(server), again: () => openS3Store(settingsOf(server, bucket, prefix)) };
  }

  test('frees an object in a bucket with versions: no version and no marker is left', async () => {
    const { store, client, bucket } = await openIn('versioned');
    await store.create('a', Buffer.from('x'));
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'another' }));
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'a' }));
    await store.create('ab', Buffer.from('stays'));
    await store.delete('a');
    const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: bucket }));
    expect([...Versions, ...DeleteMarkers].map(({ Key }) => Key)).toEqual(['ab']);
  });

  test('in a bucket with versions, writing or deleting over an object neither changes nor hides it', async () => {
    const { store, client, bucket, again } = await openIn('versioned', 'one/two');
    await store.create('a', Buffer.from('true'));
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'one/two/a', Body: 'forged' }));
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'one/two/a' }));
    for (const opened of [store, await again()]) {
      expect(String(await opened.read('a'))).toBe('true');
      expect(String(await opened.readRange('a', 1, 3))).toBe('rue');
      expect((await facts(opened)).map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([['a', 4]]);
      expect(await opened.create('a', Buffer.from('new'))).toBe(false);
    }
  });

  test.each([1_000, LARGE_BYTES])(
    'an object of %d bytes that is locked cannot be deleted, and stays readable',
    async (size) => {
      const { store } = await openIn('locking');
      const retainUntil = new Date(Date.now() + HOUR_MS);
      expect(await store.create('a', Buffer.alloc(size, 7), { retainUntil })).toBe(true);
      const refused = { code: 'store-refused', isRetryable: false, message: expect.stringContaining('locked') };
      await expect(store.delete('a')).rejects.toMatchObject(refused);
      expect(await store.create('a', Buffer.from('new'), { retainUntil })).toBe(false);
      expect(await store.read('a')).toHaveLength(size);
      expect(await facts(store)).toHaveLength(1);
    },
  );

  test('says that a bucket cannot lock objects when one is to be locked', async () => {
    const { store } = await openIn('plain');
    const retainUntil = new Date(Date.now() + HOUR_MS);
    await expect(store.create('a', Buffer.from('x'), { retainUntil })).rejects.toMatchObject({ code: 'store-refused' });
    expect(await facts(store)).toEqual([]);
  });

  test('sees only what is under its prefix', async () => {
    const { store, bucket } = await openIn('plain');
    const inner = await openS3Store(settingsOf(server, bucket, 'a'));
    await store.create('ab/c', Buffer.from('x'));
    await inner.create('b', Buffer.from('y'));
    expect((await facts(inner)).map(({ name }) => name)).toEqual(['b']);
    expect((await facts(store)).map(({ name }) => name)).toEqual(['a/b', 'ab/c']);
  });

  test('says which bucket is not there, and which key is wrong', async () => {
    const { bucket } = await openIn('plain');
    const none = openS3Store(settingsOf(server, `none-${randomUUID()}`));
    await expect(none).rejects.toMatchObject({
      code: 'store-refused',
      message: expect.stringMatching(/no such bucket: create it/),
    });
    const unknown = openS3Store(settingsOf({ ...server, accessKeyId: 'UNKNOWN' }, bucket));
    await expect(unknown).rejects.toMatchObject({
      code: 'store-refused',
      message: expect.stringMatching(/AWS_ACCESS_KEY_ID/),
    });
    const wrong = openS3Store(settingsOf({ ...server, secretAccessKey: 'wrong' }, bucket));
    await expect(wrong).rejects.toMatchObject({
      code: 'store-refused',
      message: expect.stringMatching(/AWS_SECRET_ACCESS_KEY/),
    });
  });

  test('says store-full when the quota is used up, and still reads and deletes', async () => {
    const { store, bucket } = await openIn('plain');
    await store.create('a', Buffer.from('x'));
    await setQuota(bucket, 1);
    const full = { code: 'store-full', isRetryable: false, message: expect.stringMatching(/Raise the quota or prune/) };
    await expect(store.create('b', Buffer.alloc(9_000))).rejects.toMatchObject(full);
    expect(String(await store.read('a'))).toBe('x');
    await store.delete('a');
    expect(await facts(store)).toEqual([]);
  });

  /** Of Ceph; another server would need its own way. */
  async function setQuota(bucket: string, objects: number): Promise<void> {
    const admin = ['-c', join(server.folder, 'ceph.conf'), 'quota'];
    await run('radosgw-admin', [
      ...admin,
      'set',
      '--quota-scope=bucket',
      `--bucket=${bucket}`,
      `--max-objects=${objects}`,
    ]);
    await run('radosgw-admin', [...admin, 'enable', '--quota-scope=bucket', `--bucket=${bucket}`]);
  }
}

async function facts(store: ObjectStore) {
  const all = [];
  for await (const one of store.list('')) all.push(one);
  return all;
}
