import { createHash } from 'node:crypto';
import { GetBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { isAnswer, s3Error } from './s3-errors.ts';
import type { S3Settings } from './s3-settings.ts';

/** A bucket that answers, and how it behaves. */
export interface S3Bucket {
  client: S3Client;
  bucket: string;
  /** In front of every name: empty, or ends in a slash. */
  prefix: string;
  /** For people: `s3 bucket/prefix at host`. */
  description: string;
  /** Whether the bucket keeps older versions. Then a deletion has to name them, and a second writer harms nothing. */
  isVersioned: boolean;
}

/** How long a server may take before it counts as unreachable. */
export interface S3Patience {
  connectMs: number;
  /** Between two signs of life. */
  silenceMs: number;
}

const PATIENCE: S3Patience = { connectMs: 10_000, silenceMs: 60_000 };

/**
 * Connects, and asks the bucket whether it keeps versions: which finds out at once whether it can be reached, exists, and takes the keys.
 *
 * @throws `store-refused`, `store-unreachable`
 */
export async function openBucket(settings: S3Settings, patience: S3Patience = PATIENCE): Promise<S3Bucket> {
  const { bucket, prefix } = settings;
  const client = s3Client(settings, patience);
  const host = settings.endpoint === null ? `amazonaws.com (${settings.region})` : new URL(settings.endpoint).host;
  const description = `s3 ${[bucket, ...(prefix === '' ? [] : [prefix])].join('/')} at ${host}`;
  try {
    const isVersioned = await keepsVersions(client, bucket);
    return { client, bucket, prefix: prefix === '' ? '' : `${prefix}/`, description, isVersioned };
  } catch (error) {
    client.destroy();
    throw s3Error(error, description);
  }
}

function s3Client(settings: S3Settings, { connectMs, silenceMs }: S3Patience): S3Client {
  return new S3Client({
    region: settings.region,
    ...(settings.endpoint === null ? {} : { endpoint: settings.endpoint }),
    forcePathStyle: settings.isPathStyle,
    credentials: settings.credentials,
    // Trying again is up to `retry/`: a creation that was repeated unseen could not be told from one that lost.
    maxAttempts: 1,
    // Servers other than Amazon's do not know the checksums that are sent since 2025; ours is Content-MD5, which all check.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
  });
}

async function keepsVersions(client: S3Client, bucket: string): Promise<boolean> {
  try {
    // Suspended counts too: what was written before still has versions.
    return (await client.send(new GetBucketVersioningCommand({ Bucket: bucket }))).Status !== undefined;
  } catch (error) {
    // A server that does not know the question keeps no versions.
    if (isAnswer(error, 'NotImplemented', 'MethodNotAllowed')) return false;
    throw error;
  }
}

/** For Content-MD5: the server refuses bytes that were changed on their way. */
export function md5Base64(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64');
}
