import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test } from 'vitest';
import { objectStoreSuite } from '../../suites/object-store-suite.ts';
import { namesIn } from '../memory-store.fixture.ts';
import { openS3Store } from './open-s3-store.ts';
import { bucketPlace, clientOf, settingsOf } from './s3-place.fixture.ts';
import { startVersioningS3 } from './versioning-s3.fixture.ts';

const KEYS = { accessKeyId: 'test', secretAccessKey: 'test' };
const HOUR_MS = 3_600_000;

objectStoreSuite('a bucket with versions, on a server that ignores conditions', async () => {
  const { endpoint, stop } = await startVersioningS3();
  return { makePlace: async () => bucketPlace({ endpoint, ...KEYS }, 'bucket'), stop };
});

async function openVersioning(options = {}) {
  const { endpoint, keys, stop } = await startVersioningS3({ aheadMs: 0, ...options });
  onTestFinished(stop);
  const server = { endpoint, ...KEYS };
  const client = clientOf(server);
  const store = await openS3Store(settingsOf(server, 'bucket'));
  return { store, keys, client, again: () => openS3Store(settingsOf(server, 'bucket')) };
}

test('an object is the first version of its name, whatever others write or delete over it', async () => {
  const { store, client, again } = await openVersioning();
  await store.create('a', Buffer.from('true'));
  // So many that the versions of the name are on several pages.
  for (let count = 0; count < 20; count++)
    await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'a', Body: `forged ${count}` }));
  await client.send(new DeleteObjectCommand({ Bucket: 'bucket', Key: 'a' }));
  await store.create('ab', Buffer.from('another'));
  for (const opened of [store, await again()]) {
    expect(String(await opened.read('a'))).toBe('true');
    expect(await namesIn(opened)).toEqual(['a', 'ab']);
    expect(await opened.create('a', Buffer.from('new'))).toBe(false);
  }
});

test('a deletion leaves no version and no marker of the name, and those of longer names alone', async () => {
  const { store, client, keys } = await openVersioning();
  await store.create('a', Buffer.from('x'));
  for (let count = 0; count < 20; count++) {
    await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'a', Body: 'y' }));
    await client.send(new DeleteObjectCommand({ Bucket: 'bucket', Key: 'a' }));
  }
  await store.create('ab', Buffer.from('another'));
  await store.delete('a');
  expect([...keys.keys()]).toEqual(['ab']);
});

test('who lost takes his own version back', async () => {
  const { store, keys } = await openVersioning();
  await store.create('a', Buffer.from('first'));
  await store.create('a', Buffer.from('second'));
  expect(keys.get('a')).toHaveLength(1);
});

test.each([10, 33 * 2 ** 20])(
  'an object of %d bytes stays locked until the instant that was asked for',
  async (size) => {
    const { store, keys } = await openVersioning();
    const retainUntil = new Date(Date.now() + HOUR_MS);
    await store.create('a', Buffer.alloc(size), { retainUntil });
    const until = new Date(keys.get('a')?.[0]?.retainUntil ?? '');
    expect(Math.abs(until.getTime() - retainUntil.getTime())).toBeLessThan(1_000);
    await expect(store.delete('a')).rejects.toMatchObject({ code: 'store-refused', until });
    expect(await store.create('a', Buffer.from('second'), { retainUntil })).toBe(false);
    expect(await store.read('a')).toHaveLength(size);
  },
);

test('a bucket whose versions are suspended keeps two writers apart only where the server heeds conditions', async () => {
  const { store, keys } = await openVersioning({ isSuspended: true });
  await expect(store.create('a', Buffer.from('one'))).rejects.toMatchObject({
    code: 'store-refused',
    message: expect.stringMatching(/Turn on versioning/),
  });
  expect([...keys]).toEqual([]);
  const heeding = await openVersioning({ isSuspended: true, heedsConditions: true });
  const other = await heeding.again();
  const created = await Promise.all([
    heeding.store.create('a', Buffer.from('one')),
    other.create('a', Buffer.from('two')),
  ]);
  expect(created.sort()).toEqual([false, true]);
  expect(await other.create('a', Buffer.from('three'))).toBe(false);
  expect(await other.read('a')).toEqual(await heeding.store.read('a'));
  await other.delete('a');
  expect(await namesIn(heeding.store)).toEqual([]);
  expect([...heeding.keys]).toEqual([]);
});
