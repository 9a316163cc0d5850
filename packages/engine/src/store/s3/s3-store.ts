import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectRetentionCommand,
} from '@aws-sdk/client-s3';
import { checkObjectName, checkObjectPrefix, checkRange, isObjectName } from '../object-name.ts';
import {
  type CreateOptions,
  OBJECT_BYTES_MAX,
  type ObjectFacts,
  type ObjectStore,
  type OnForeign,
} from '../object-store.ts';
import { tooLong } from '../too-long.ts';
import { tooShort } from '../too-short.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { S3Creator } from './s3-create.ts';
import { isAnswer, s3Error } from './s3-errors.ts';
import { deleteVersions, firstVersion, firstVersions } from './s3-versions.ts';

/** Versions of objects that were read or listed: their first one never changes. About 200 bytes each. */
const KNOWN_VERSIONS_MAX = 50_000;

export class S3Store implements ObjectStore {
  readonly description: string;
  private readonly bucket: S3Bucket;
  private readonly creator: S3Creator;
  private readonly versions = new Map<string, string>();

  constructor(bucket: S3Bucket) {
    this.bucket = bucket;
    this.creator = new S3Creator(bucket);
    this.description = bucket.description;
  }

  async create(name: string, bytes: Uint8Array, { retainUntil }: CreateOptions = {}): Promise<boolean> {
    checkObjectName(name);
    return this.withStoreErrors(name, this.creator.create(this.keyOf(name), bytes, retainUntil));
  }

  async read(name: string): Promise<Buffer> {
    checkObjectName(name);
    return this.withStoreErrors(name, this.get(name));
  }

  async readRange(name: string, start: number, length: number): Promise<Buffer> {
    checkObjectName(name);
    checkRange(name, start, length);
    if (length === 0) return this.withStoreErrors(name, this.readNothing(name, start));
    const bytes = await this.withStoreErrors(name, this.getRange(name, start, length));
    if (bytes.length !== length) throw tooShort(name, start + bytes.length, start, length);
    return bytes;
  }

  async *list(prefix: string, onForeign?: OnForeign): AsyncIterable<ObjectFacts> {
    checkObjectPrefix(prefix);
    const listed = this.bucket.isVersioned ? this.listFirstVersions(prefix) : this.listObjects(prefix);
    try {
      for await (const facts of listed)
        if (isObjectName(facts.name)) yield facts;
        else onForeign?.(facts.name);
    } catch (error) {
      throw s3Error(error, `${this.description}, ${prefix}*`);
    }
  }

  async delete(name: string): Promise<void> {
    checkObjectName(name);
    const key = this.keyOf(name);
    this.versions.delete(name);
    if (this.bucket.isVersioned) return this.withStoreErrors(name, deleteVersions(this.bucket, key));
    const { bucket, client } = this.bucket;
    await this.withStoreErrors(name, client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })));
  }

  async lockedUntil(name: string): Promise<Date | null> {
    checkObjectName(name);
    const head = async () => this.bucket.client.send(new HeadObjectCommand(await this.address(name)));
    return (await this.withStoreErrors(name, head())).ObjectLockRetainUntilDate ?? null;
  }

  async extendLock(name: string, until: Date): Promise<void> {
    checkObjectName(name);
    const retain = async () => {
      const Retention = { Mode: 'COMPLIANCE' as const, RetainUntilDate: until };
      await this.bucket.client.send(new PutObjectRetentionCommand({ ...(await this.address(name)), Retention }));
    };
    await this.withStoreErrors(name, retain());
  }

  now(): Date {
    return this.bucket.now();
  }

  async close(): Promise<void> {
    this.bucket.client.destroy();
  }

  private keyOf(name: string): string {
    return this.bucket.prefix + name;
  }

  private async withStoreErrors<Result>(name: string, work: Promise<Result>): Promise<Result> {
    return work.catch((error: unknown) => {
      throw s3Error(error, `${this.description}, object ${name}`);
    });
  }

  private async get(name: string, Range?: string): Promise<Buffer> {
    const asked = new GetObjectCommand({ ...(await this.address(name)), Range });
    const { Body, ContentLength } = await this.bucket.client.send(asked);
    // A server that reports no length could go on for ever; those that speak S3 report it.
    if (Body !== undefined && (ContentLength ?? Number.POSITIVE_INFINITY) > OBJECT_BYTES_MAX) {
      await Body.transformToWebStream().cancel();
      throw tooLong(name);
    }
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  }

  private async getRange(name: string, start: number, length: number): Promise<Buffer> {
    try {
      return await this.get(name, `bytes=${start}-${start + length - 1}`);
    } catch (error) {
      if (isAnswer(error, 'InvalidRange')) throw tooShort(name, null, start, length);
      throw error;
    }
  }

  /** Ranges of HTTP have at least a byte. */
  private async readNothing(name: string, start: number): Promise<Buffer> {
    const { ContentLength = 0 } = await this.bucket.client.send(new HeadObjectCommand(await this.address(name)));
    if (ContentLength < start) throw tooShort(name, ContentLength, start, 0);
    return Buffer.alloc(0);
  }

  private async address(name: string): Promise<{ Bucket: string; Key: string; VersionId?: string }> {
    const address = { Bucket: this.bucket.bucket, Key: this.keyOf(name) };
    if (!this.bucket.isVersioned) return address;
    const known = this.versions.get(name) ?? (await firstVersion(this.bucket, address.Key))?.id;
    // Without any version, the server says in its own words that there is no such object.
    if (known === undefined) return address;
    this.remember(name, known);
    return { ...address, VersionId: known };
  }

  private remember(name: string, version: string): void {
    const [oldest] = this.versions.keys();
    if (this.versions.size >= KNOWN_VERSIONS_MAX && oldest !== undefined) this.versions.delete(oldest);
    this.versions.set(name, version);
  }

  private async *listFirstVersions(prefix: string): AsyncGenerator<ObjectFacts> {
    for await (const { key, id, sizeBytes, createdAt } of firstVersions(this.bucket, this.keyOf(prefix))) {
      const name = key.slice(this.bucket.prefix.length);
      this.remember(name, id);
      yield { name, sizeBytes, createdAt };
    }
  }

  private async *listObjects(prefix: string): AsyncGenerator<ObjectFacts> {
    let ContinuationToken: string | undefined;
    do {
      const asked = { Bucket: this.bucket.bucket, Prefix: this.keyOf(prefix), ContinuationToken };
      const page: ListObjectsV2CommandOutput = await this.bucket.client.send(new ListObjectsV2Command(asked));
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key === undefined || Size === undefined || LastModified === undefined)
          throw new Error(`The server lists the object '${Key ?? ''}' without its name, size or time.`);
        yield { name: Key.slice(this.bucket.prefix.length), sizeBytes: Size, createdAt: LastModified };
      }
      ContinuationToken = page.NextContinuationToken;
      if (page.IsTruncated === true && ContinuationToken === undefined)
        throw new Error('The server cut a list of objects and does not say where it goes on.');
    } while (ContinuationToken !== undefined);
  }
}
