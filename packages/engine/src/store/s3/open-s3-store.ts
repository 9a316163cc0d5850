import { EngineError } from '../../model/engine-error.ts';
import type { ObjectStore } from '../object-store.ts';
import type { S3Settings } from './s3-settings.ts';

export async function openS3Store(settings: S3Settings): Promise<ObjectStore> {
  throw new EngineError('bad-request', `Bucket ${settings.bucket}: this version cannot open buckets yet.`);
}
