import { expect, onTestFinished, test } from 'vitest';
import { objectStoreSuite } from '../../suites/object-store-suite.ts';
import { type HeededConditions, startFauxqs } from './fauxqs.fixture.ts';
import { openS3Store } from './open-s3-store.ts';
import { bucketPlace, makeBucket, settingsOf } from './s3-place.fixture.ts';

const KEYS = { accessKeyId: 'test', secretAccessKey: 'test' };

objectStoreSuite('a bucket of fauxqs', async () => {
  const { endpoint, stop } = await startFauxqs();
  const server = { endpoint, ...KEYS };
  const bucket = await makeBucket(server, 'plain');
  return { makePlace: async () => bucketPlace(server, bucket), stop };
});

async function storeOn(heeds: HeededConditions) {
  const { endpoint, stop } = await startFauxqs(heeds);
  onTestFinished(stop);
  const server = { endpoint, ...KEYS };
  return openS3Store(settingsOf(server, await makeBucket(server, 'plain')));
}

test('writes nothing where two writers could overwrite each other, and says what to do', async () => {
  const store = await storeOn({ single: false, parts: false });
  const refused = { code: 'store-refused', isRetryable: false, message: expect.stringContaining('Turn on versioning') };
  await expect(store.create('a', Buffer.from('x'))).rejects.toMatchObject(refused);
  for await (const { name } of store.list('')) expect.fail(`${name} was written`);
});

test('sends large objects in one piece where a write in parts is not conditional', async () => {
  const store = await storeOn({ single: true, parts: false });
  // The server accepts no such piece, which distinguishes the two ways.
  await expect(store.create('a', Buffer.alloc(32 * 2 ** 20))).rejects.toMatchObject({
    message: expect.stringMatching(/413/),
  });
  expect(await store.create('b', Buffer.from('x'))).toBe(true);
});
