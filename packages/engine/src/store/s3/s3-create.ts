import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand, PutObjectRetentionCommand } from '@aws-sdk/client-s3';
import { EngineError } from '../../model/engine-error.ts';
import { md5Base64, type S3Bucket } from './s3-bucket.ts';
import { isAnswer, s3Error } from './s3-errors.ts';
import { putInParts } from './s3-multipart.ts';
import { deleteVersion, deleteVersions, firstVersion } from './s3-versions.ts';

/** Larger objects are sent in parts. */
const PARTS_FROM_BYTES = 32 * 2 ** 20;

type Put = (bucket: S3Bucket, key: string, bytes: Uint8Array, retainUntil?: Date) => Promise<string | undefined>;

/**
 * Exclusive creation. Every write says `If-None-Match: *`, and what else is needed depends on the bucket:
 *
 * - **With versions**, whether the server heeds the condition or not: the object is the oldest version of its key (`s3-versions.ts`). Who finds
 *   another one there after writing has lost, and takes his own version back.
 * - **Without versions, or with suspended ones, on a server that heeds it**: the server decides. Whether it does is tried once, in the first creation, for single writes
 *   and for those in parts each; where those in parts are not conditional, large objects are sent in one piece.
 * - **On a server that does not**: nothing can keep two writers apart for sure, so nothing is written at all.
 */
export class S3Creator {
  private readonly bucket: S3Bucket;
  private heedsSingle: Promise<boolean> | null = null;
  private heedsParts: Promise<boolean> | null = null;

  constructor(bucket: S3Bucket) {
    this.bucket = bucket;
  }

  async create(key: string, bytes: Uint8Array, retainUntil?: Date): Promise<boolean> {
    const put = await this.wayOf(bytes);
    try {
      const version = await put(this.bucket, key, bytes, retainUntil);
      return !this.bucket.keepsEach || (await this.isFirst(key, version));
    } catch (error) {
      if (isAnswer(error, 'PreconditionFailed')) return false;
      throw error;
    }
  }

  private async wayOf(bytes: Uint8Array): Promise<Put> {
    const isLarge = bytes.length >= PARTS_FROM_BYTES;
    if (this.bucket.keepsEach) return isLarge ? putLarge : putSingle;
    this.heedsSingle ??= this.heeds(putSingle, () => {
      this.heedsSingle = null;
    });
    if (!(await this.heedsSingle)) throw notExclusive(this.bucket);
    if (!isLarge) return putSingle;
    this.heedsParts ??= this.heeds(putLarge, () => {
      this.heedsParts = null;
    });
    return (await this.heedsParts) ? putLarge : putSingle;
  }

  /** Writes an object twice, under a name that no object can have. A failure is no answer: the next creation asks again. */
  private async heeds(put: Put, forget: () => void): Promise<boolean> {
    const key = `${this.bucket.prefix}.probe-${randomUUID()}`;
    try {
      await put(this.bucket, key, Buffer.from('probe'));
      return await put(this.bucket, key, Buffer.from('probe')).then(
        () => false,
        (error: unknown) => {
          if (isAnswer(error, 'PreconditionFailed')) return true;
          // A server that knows no conditions of writing may say so.
          if (isAnswer(error, 'NotImplemented')) return false;
          throw error;
        },
      );
    } catch (error) {
      forget();
      throw error;
    } finally {
      await this.removeProbe(key)
        // Five bytes without a reference; the error that matters is that of the creation.
        .catch(() => undefined);
    }
  }

  private async removeProbe(key: string): Promise<void> {
    const { bucket } = this;
    if (bucket.isVersioned) return deleteVersions(bucket, key);
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.bucket, Key: key }));
  }

  private async isFirst(key: string, version: string | undefined): Promise<boolean> {
    const first = await firstVersion(this.bucket, key);
    if (version === undefined || first === null)
      throw new EngineError('store-unreachable', `${key} was written, but the server does not list its version.`, {
        isRetryable: true,
      });
    if (first.id === version) return true;
    // Where it cannot be deleted, since the bucket locks what it gets, it counts for nothing all the same.
    await deleteVersion(this.bucket, key, version).catch((error: unknown) => {
      if (s3Error(error, key).code !== 'store-refused') throw error;
    });
    return false;
  }
}

async function putSingle(bucket: S3Bucket, key: string, bytes: Uint8Array, retainUntil?: Date) {
  const lock = retainUntil && { ObjectLockMode: 'COMPLIANCE' as const, ObjectLockRetainUntilDate: retainUntil };
  const put = { Bucket: bucket.bucket, Key: key, Body: bytes, ContentMD5: md5Base64(bytes), IfNoneMatch: '*', ...lock };
  return (await bucket.client.send(new PutObjectCommand(put))).VersionId;
}

/** Locks the object afterwards: servers ignore the lock that an upload in parts begins with. */
async function putLarge(bucket: S3Bucket, key: string, bytes: Uint8Array, retainUntil?: Date) {
  const version = await putInParts(bucket, key, bytes);
  if (retainUntil !== undefined) {
    const Retention = { Mode: 'COMPLIANCE' as const, RetainUntilDate: retainUntil };
    const retention = { Bucket: bucket.bucket, Key: key, VersionId: version, Retention };
    await bucket.client.send(new PutObjectRetentionCommand(retention));
  }
  return version;
}

function notExclusive({ description }: S3Bucket): EngineError {
  return new EngineError(
    'store-refused',
    `${description}: the server overwrites objects despite If-None-Match, so two programs could destroy each other's work. Turn on versioning for the bucket, or use a server that supports conditional writes.`,
  );
}
