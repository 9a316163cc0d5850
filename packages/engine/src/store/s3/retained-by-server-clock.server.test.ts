import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../open-store.ts';
import { startVersioningS3 } from './versioning-s3.fixture.ts';

const DAY_MS = 86_400_000;

test('objects are locked for days by the clock of the server, whatever this machine takes for now', async () => {
  const aheadMs = -400 * DAY_MS;
  const bucket = await startVersioningS3({ aheadMs });
  onTestFinished(() => bucket.stop());
  const keys = { AWS_ACCESS_KEY_ID: 't', AWS_SECRET_ACCESS_KEY: 't' };
  const store = await openStore(`s3://bucket/one?endpoint=${bucket.endpoint}&lock-days=30`, keys);
  onTestFinished(() => store.close());
  await store.create('packs/aa/aa', Buffer.from('pack'));
  const [version] = bucket.keys.get('one/packs/aa/aa') ?? [];
  const until = new Date(version?.retainUntil ?? 0).getTime();
  expect(Math.abs(until - (Date.now() + aheadMs + 30 * DAY_MS))).toBeLessThan(60_000);
});
