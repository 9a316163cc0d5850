import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { StorePlaceUnderTest } from '../../suites/object-store-suite.ts';
import { isObjectName } from '../object-name.ts';
import { openS3Store } from './open-s3-store.ts';
import type { S3Settings } from './s3-settings.ts';

/** A server to make buckets on. */
export interface S3ServerAccess {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export type BucketKind = 'plain' | 'versioned' | 'locking';

export function settingsOf(server: S3ServerAccess, bucket: string, prefix = ''): S3Settings {
  const { endpoint, accessKeyId, secretAccessKey } = server;
  const credentials = { accessKeyId, secretAccessKey };
  return { bucket, prefix, endpoint, region: 'us-east-1', isPathStyle: true, credentials };
}

/** A client of the test's own, to look behind the store. */
export function clientOf({ endpoint, accessKeyId, secretAccessKey }: S3ServerAccess): S3Client {
  const credentials = { accessKeyId, secretAccessKey };
  return new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
}

export async function makeBucket(server: S3ServerAccess, kind: BucketKind): Promise<string> {
  const client = clientOf(server);
  const Bucket = `test-${randomUUID()}`;
  await client.send(
    new CreateBucketCommand({ Bucket, ...(kind === 'locking' ? { ObjectLockEnabledForBucket: true } : {}) }),
  );
  const VersioningConfiguration = { Status: 'Enabled' as const };
  if (kind === 'versioned') await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  client.destroy();
  return Bucket;
}

/** A part of a bucket that no other test uses. */
export function bucketPlace(
  server: S3ServerAccess,
  bucket: string,
  prefix = `customers/${randomUUID()}`,
): StorePlaceUnderTest {
  return {
    open: () => openS3Store(settingsOf(server, bucket, prefix)),
    leftovers: () => leftoversIn(server, bucket, `${prefix}/`),
  };
}

/** Keys that are no objects, and uploads that were begun and not ended, where the server lists them. */
async function leftoversIn(server: S3ServerAccess, Bucket: string, Prefix: string): Promise<string[]> {
  const client = clientOf(server);
  try {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
    const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
    const keys = [...Contents, ...(uploads.Uploads ?? [])].map(({ Key = '' }) => Key.slice(Prefix.length));
    return keys.filter((key, index) => index >= Contents.length || !isObjectName(key));
  } finally {
    client.destroy();
  }
}
