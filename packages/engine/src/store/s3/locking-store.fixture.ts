import { onTestFinished } from 'vitest';
import { openStore } from '../open-store.ts';
import { startVersioningS3 } from './versioning-s3.fixture.ts';

/** A bucket that locks what is written for 30 days, with the clock that its server goes by. */
export async function lockingStore() {
  const clock = { aheadMs: 0 };
  const bucket = await startVersioningS3(clock);
  onTestFinished(() => bucket.stop());
  const keys = { AWS_ACCESS_KEY_ID: 't', AWS_SECRET_ACCESS_KEY: 't' };
  const store = await openStore(`s3://bucket?endpoint=${bucket.endpoint}&lock-days=30`, keys);
  onTestFinished(() => store.close());
  return { clock, store };
}
