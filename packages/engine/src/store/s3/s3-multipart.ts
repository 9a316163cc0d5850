import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { withRetries } from '../retry/with-retries.ts';
import { md5Base64, type S3Bucket } from './s3-bucket.ts';
import { s3Error } from './s3-errors.ts';

/** All parts but the last have this size. The least that servers take is 5 MiB. */
const PART_BYTES = 8 * 2 ** 20;
const PARTS_AT_ONCE = 4;

/**
 * Writes a large object in parts, several at once; a part that fails is sent again alone. The object stays invisible until
 * its last step, which is conditional. Parts of a writer that was killed take space until the bucket's rule
 * `AbortIncompleteMultipartUpload` removes them.
 *
 * @returns the id of the version, where the bucket keeps versions
 */
export async function putInParts(bucket: S3Bucket, key: string, bytes: Uint8Array): Promise<string | undefined> {
  const { client, bucket: Bucket } = bucket;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: key }));
  if (UploadId === undefined) throw new Error('The server begins an upload in parts and gives it no id.');
  const upload = { Bucket, Key: key, UploadId };
  try {
    const Parts = await sendParts(bucket, upload, bytes);
    const complete = { ...upload, MultipartUpload: { Parts }, IfNoneMatch: '*' };
    return (await client.send(new CompleteMultipartUploadCommand(complete))).VersionId;
  } catch (error) {
    // The first error is the one to report. What is not removed now is left to the bucket's rule.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

interface Upload {
  Bucket: string;
  Key: string;
  UploadId: string;
}

async function sendParts({ client }: S3Bucket, upload: Upload, bytes: Uint8Array): Promise<CompletedPart[]> {
  const limit = pLimit(PARTS_AT_ONCE);
  const starts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, index) => index * PART_BYTES);
  const sent = await Promise.allSettled(starts.map((start, index) => limit(() => sendPart(start, index + 1))));
  // All have ended before anything is thrown: a part that is still under way would outlive the abortion.
  return sent.map((part) => {
    if (part.status === 'rejected') throw part.reason;
    return part.value;
  });

  async function sendPart(start: number, PartNumber: number): Promise<CompletedPart> {
    const Body = bytes.subarray(start, start + PART_BYTES);
    const part = { ...upload, PartNumber, Body, ContentMD5: md5Base64(Body) };
    const { ETag } = await withRetries(() =>
      client.send(new UploadPartCommand(part)).catch((error: unknown) => {
        throw s3Error(error, `part ${PartNumber} of ${upload.Key}`);
      }),
    );
    return { PartNumber, ETag };
  }
}
