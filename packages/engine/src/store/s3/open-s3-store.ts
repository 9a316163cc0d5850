import type { ObjectStore } from '../object-store.ts';
import { openBucket, type S3Patience } from './s3-bucket.ts';
import type { S3Settings } from './s3-settings.ts';
import { S3Store } from './s3-store.ts';

/**
 * A store in a bucket of S3, or in a part of one. Calls are not repeated: that is up to `retry/`.
 *
 * The keys need, on the bucket: `s3:GetBucketVersioning`, `s3:ListBucket`, `s3:ListBucketVersions`; on its objects `s3:GetObject`, `s3:GetObjectVersion`,
 * `s3:PutObject`, `s3:AbortMultipartUpload`, `s3:DeleteObject`, `s3:DeleteObjectVersion`, and `s3:PutObjectRetention` and `s3:GetObjectRetention` for object lock. Without
 * those for writing, a repository can still be read.
 *
 * @throws `store-refused` when the bucket is not there or does not take the keys; `store-unreachable`
 */
export async function openS3Store(settings: S3Settings, patience?: S3Patience): Promise<ObjectStore> {
  return new S3Store(await openBucket(settings, patience));
}
