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
  /** Whether there may be older versions of a key: then a deletion has to name them. */
  isVersioned: boolean;
  /** Whether each write makes a version of its own: then a second writer harms nothing. Not where versioning is suspended. */
  keepsEach: boolean;
  /** The present by the server's clock, as its last answer said. */
  now(): Date;
}

/** How long a server may take before it counts as unreachable. */
export interface S3Patience {
  connectMs: number;
  /** Between two signs of life. */
  idleMs: number;
}

const PATIENCE: S3Patience = { connectMs: 10_000, idleMs: 60_000 };

/**
 * Connects, and asks the bucket whether it keeps versions: which finds out at once whether it can be reached, exists, and takes the keys.
 *
 * @throws `store-refused`, `store-unreachable`
 */
export async function openBucket(settings: S3Settings, patience: S3Patience = PATIENCE): Promise<S3Bucket> {
  const { bucket, prefix } = settings;
  const client = s3Client(settings, patience);
  const now = serverClock(client);
  const host = settings.endpoint === null ? `amazonaws.com (${settings.region})` : new URL(settings.endpoint).host;
  const description = `s3 ${[bucket, ...(prefix === '' ? [] : [prefix])].join('/')} at ${host}`;
  try {
    const versioning = await versioningOf(client, bucket);
    return { client, bucket, prefix: prefix === '' ? '' : `${prefix}/`, description, now, ...versioning };
  } catch (error) {
    client.destroy();
    throw s3Error(error, description);
  }
}

function s3Client(settings: S3Settings, { connectMs, idleMs }: S3Patience): S3Client {
  return new S3Client({
    region: settings.region,
    ...(settings.endpoint === null ? {} : { endpoint: settings.endpoint }),
    forcePathStyle: settings.isPathStyle,
    credentials: settings.credentials,
    // `retry/` repeats calls: a creation that was repeated unseen could not be distinguished from one that lost.
    maxAttempts: 1,
    // Servers other than Amazon's do not know the checksums that are sent since 2025; ours is Content-MD5, which all check.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs, ...agents(settings) },
  });
}

/** Sockets that are made by the given lookup. */
const agents = ({ lookup }: S3Settings) =>
  lookup === undefined ? {} : { httpAgent: { lookup }, httpsAgent: { lookup } };

/** Every answer of HTTP has the instant at which it was made (RFC 9110, 6.6.1). */
function serverClock(client: S3Client): () => Date {
  let aheadMs = 0;
  client.middlewareStack.add(
    (next) => async (given) => {
      const answer = await next(given);
      const date = dateOf(answer.response);
      if (!Number.isNaN(date)) aheadMs = date - Date.now();
      return answer;
    },
    { step: 'deserialize', priority: 'low', name: 'serverClock' },
  );
  return () => new Date(Date.now() + aheadMs);
}

/** The header `Date` in milliseconds; `NaN` where there is none. */
function dateOf(response: unknown): number {
  const headers = typeof response === 'object' && response !== null && 'headers' in response ? response.headers : null;
  const date = typeof headers === 'object' && headers !== null && 'date' in headers ? headers.date : null;
  return typeof date === 'string' ? Date.parse(date) : Number.NaN;
}

async function versioningOf(client: S3Client, bucket: string): Promise<Pick<S3Bucket, 'isVersioned' | 'keepsEach'>> {
  try {
    const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket: bucket }));
    // Suspended: what was written before still has versions, and what is written now takes the place of what has none.
    return { isVersioned: Status !== undefined, keepsEach: Status === 'Enabled' };
  } catch (error) {
    // A server that does not know the question keeps no versions.
    if (isAnswer(error, 'NotImplemented', 'MethodNotAllowed')) return { isVersioned: false, keepsEach: false };
    throw error;
  }
}

/** For Content-MD5: the server refuses bytes that were changed on their way. */
export function md5Base64(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64');
}
