import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { namesIn } from './memory-store.fixture.ts';
import { openStore } from './open-store.ts';
import { startFauxqs } from './s3/fauxqs.fixture.ts';
import { makeBucket } from './s3/s3-place.fixture.ts';
import { testFolder } from './test-folder.fixture.ts';

test('opens a folder, and makes it', async () => {
  const folder = join(await testFolder(), 'store');
  const store = await openStore(folder, {});
  expect(store.description).toBe(`folder ${folder}`);
  expect(await store.create('a', Buffer.from('x'))).toBe(true);
  expect(await namesIn(await openStore(folder, { KEEPWATCH_STORE_REQUESTS: '1' }))).toEqual(['a']);
});

test('opens a part of a bucket with the usual variables', async () => {
  const { endpoint, stop } = await startFauxqs();
  onTestFinished(stop);
  const bucket = await makeBucket({ endpoint, accessKeyId: 'id', secretAccessKey: 'secret' }, 'plain');
  const environment = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL_S3: endpoint };
  const store = await openStore(`s3://${bucket}/customers/contoso`, environment);
  onTestFinished(() => store.close());
  expect(store.description).toBe(`s3 ${bucket}/customers/contoso at ${new URL(endpoint).host}`);
  expect(await store.create('a', Buffer.from('x'))).toBe(true);
  const whole = await openStore(`s3://${bucket}`, environment);
  onTestFinished(() => whole.close());
  expect(await namesIn(whole)).toEqual(['customers/contoso/a']);
});

test.each(['0', '-1', '1.5', 'many', '1e3'])('refuses %j as a limit', async (text) => {
  const refused = { code: 'bad-request', message: expect.stringMatching(/KEEPWATCH_STORE_BYTES_PER_SECOND/) };
  await expect(openStore('/nowhere', { KEEPWATCH_STORE_BYTES_PER_SECOND: text })).rejects.toMatchObject(refused);
});
