import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
} from '@aws-sdk/client-s3';
import { RetainedError } from '../retained-error.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { isAnswer } from './s3-errors.ts';

/** The oldest version of a key: what was there first. */
export interface FirstVersion {
  key: string;
  id: string;
  sizeBytes: number;
  createdAt: Date;
}

/**
 * In a bucket that keeps versions, **an object is the oldest version of its key**. Later versions and delete markers count for nothing,
 * no matter who made them: so creation is exclusive on servers that ignore `If-None-Match` in such buckets (Ceph does), and a key that may
 * write but not delete versions can neither change nor hide an object.
 *
 * Keys come in their order, each with its first version; a server lists the versions of a key from the newest to the oldest.
 */
export async function* firstVersions(bucket: S3Bucket, prefix: string): AsyncGenerator<FirstVersion> {
  let last: FirstVersion | null = null;
  for await (const { Versions = [] } of versionPages(bucket, prefix))
    for (const version of Versions) {
      const next = readVersion(version);
      if (last !== null && last.key !== next.key) yield last;
      last = next;
    }
  if (last !== null) yield last;
}

/** @returns null where the key has no version */
export async function firstVersion(bucket: S3Bucket, key: string): Promise<FirstVersion | null> {
  // Keys that begin with this one come after it.
  for await (const version of firstVersions(bucket, key)) return version.key === key ? version : null;
  return null;
}

/** Deletes all versions of a key and its delete markers; the object itself last, so that no later version ever takes its place. */
export async function deleteVersions(bucket: S3Bucket, key: string): Promise<void> {
  const versions: string[] = [];
  const markers: string[] = [];
  const own = (found: readonly { Key?: string; VersionId?: string }[]) =>
    found.flatMap(({ Key, VersionId }) => (Key === key && VersionId !== undefined ? VersionId : []));
  for await (const { Versions = [], DeleteMarkers = [] } of versionPages(bucket, key)) {
    versions.push(...own(Versions));
    markers.push(...own(DeleteMarkers));
    // Other keys that begin with this one come after all of its versions.
    if ([...Versions, ...DeleteMarkers].some(({ Key }) => Key !== key)) break;
  }
  for (const id of [...markers, ...versions])
    await deleteVersion(bucket, key, id).catch(async (error: unknown) => {
      throw (await retained(bucket, key, id, error)) ?? error;
    });
}

/** Servers refuse to delete what is locked with the words they have for keys that may not delete. */
async function retained(bucket: S3Bucket, key: string, id: string, error: unknown): Promise<RetainedError | null> {
  if (!isAnswer(error, 'AccessDenied')) return null;
  const asked = new HeadObjectCommand({ Bucket: bucket.bucket, Key: key, VersionId: id });
  // Who cannot find out says what the server said.
  const facts = await bucket.client.send(asked).catch(() => null);
  const until = facts?.ObjectLockRetainUntilDate;
  return until === undefined ? null : new RetainedError(`${bucket.description}, object ${key}`, until, error);
}

export async function deleteVersion({ client, bucket }: S3Bucket, key: string, id: string): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: id }));
}

async function* versionPages(bucket: S3Bucket, prefix: string): AsyncGenerator<ListObjectVersionsCommandOutput> {
  let after: { KeyMarker?: string; VersionIdMarker?: string } | null = {};
  while (after !== null) {
    const asked = { Bucket: bucket.bucket, Prefix: prefix, ...after };
    const page: ListObjectVersionsCommandOutput = await bucket.client.send(new ListObjectVersionsCommand(asked));
    yield page;
    after = page.IsTruncated === true ? nextPage(page) : null;
  }
}

function nextPage({ NextKeyMarker, NextVersionIdMarker }: ListObjectVersionsCommandOutput) {
  // Without a place to continue from, the list would begin again for ever.
  if (NextKeyMarker === undefined)
    throw new Error('The server cut a list of versions and does not say where it goes on.');
  return {
    KeyMarker: NextKeyMarker,
    ...(NextVersionIdMarker === undefined ? {} : { VersionIdMarker: NextVersionIdMarker }),
  };
}

function readVersion({ Key, VersionId, Size, LastModified }: ObjectVersion): FirstVersion {
  if (Key === undefined || VersionId === undefined || Size === undefined || LastModified === undefined)
    throw new Error(`The server lists the version of '${Key ?? ''}' without its name, size or time.`);
  return { key: Key, id: VersionId, sizeBytes: Size, createdAt: LastModified };
}
