import { createHash, type Hash } from 'node:crypto';
import { EngineError } from '../../../model/engine-error.ts';
import type { Alert } from '../../../model/outcome.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, numberOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { checkedBytes, type ListedBytes, listedBytes, WrongBytes } from './checked-bytes.ts';
import { downloadUrlOf } from './drive-item.ts';
import { itemPath, versionPath } from './drive-paths.ts';

/** Files of up to that size are held until they are known to be right, and read again when they are not. */
const HELD_BYTES = 4 * 1024 * 1024;

/** Takes what a person should know of bytes that were read. */
export type TakeAlert = (alert: Alert) => void;

/**
 * The bytes of a file as it is now. The link of the entity is used while it is valid; a download resumes after a break. Bytes that are not those
 * the drive lists are read a second time: what is served twice is the file. SharePoint serves other bytes than it lists for libraries with rights
 * management, and for Office files that it writes into.
 * @throws WrongBytes when two readings differ from the listing and from each other
 */
export async function* fileBytes(
  reading: Reading,
  entity: JsonObject,
  signal: AbortSignal,
  takeAlert: TakeAlert,
): AsyncGenerator<Uint8Array> {
  const listed = listedBytes(entity);
  const name = textOf(entity['name']) ?? '';
  const read = () => currentBytes(reading, entity, signal);
  try {
    if ((listed.sizeBytes ?? HELD_BYTES + 1) > HELD_BYTES) yield* readOrReadTwice(read, listed, name, takeAlert);
    else yield* (await heldBytes(read(), listed)).right ?? (await secondAttempt(reading, entity, signal, takeAlert));
  } catch (error) {
    throw ofOneFile(error, name);
  }
}

/** The bytes of an earlier version, for which the drive lists a length and no hash. */
export async function* versionBytes(
  { connection, request }: Reading,
  item: { id: string; name: string },
  version: JsonObject,
  signal: AbortSignal,
  takeAlert: TakeAlert,
): AsyncGenerator<Uint8Array> {
  const id = textOf(version['id']) ?? '';
  const name = `${item.name}, version ${id}`;
  const read = () => connection.download({ path: versionPath(request.object.id, item.id, id), signal });
  try {
    yield* readOrReadTwice(read, { sizeBytes: numberOf(version['size']) ?? null, hash: null }, name, takeAlert);
  } catch (error) {
    throw ofOneFile(error, name);
  }
}

/** Gives the bytes as they arrive; wrong ones are compared with a second reading, which is discarded. */
async function* readOrReadTwice(
  read: () => AsyncIterable<Uint8Array>,
  listed: ListedBytes,
  name: string,
  takeAlert: TakeAlert,
): AsyncGenerator<Uint8Array> {
  const first = createHash('sha256');
  try {
    yield* checkedBytes(hashed(read(), first), listed, name);
  } catch (error) {
    if (!(error instanceof WrongBytes)) throw error;
    const again = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of hashed(read(), again)) sizeBytes += chunk.length;
    if (sizeBytes === 0 || again.digest('hex') !== first.digest('hex')) throw error;
    takeAlert(hashDiffers(name));
  }
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

async function secondAttempt(
  reading: Reading,
  entity: JsonObject,
  signal: AbortSignal,
  takeAlert: TakeAlert,
): Promise<Uint8Array[]> {
  const path = itemPath(reading.request.object.id, textOf(entity['id']) ?? '');
  const name = textOf(entity['name']) ?? '';
  // It may have changed since it was listed: then that is what is right now, and the next run reads it once more.
  const now = await reading.connection.ask({ path, signal });
  const again = await heldBytes(currentBytes(reading, now, signal), listedBytes(now));
  if (again.right !== null) return again.right;
  const third = await heldBytes(currentBytes(reading, now, signal), listedBytes(now));
  const bytes = Buffer.concat(again.bytes);
  // No bytes at all of a file that has some are what a service that is ill gives out.
  if (bytes.length === 0 || !bytes.equals(Buffer.concat(third.bytes))) throw new WrongBytes(name, 'twice');
  takeAlert(hashDiffers(name));
  return again.bytes;
}

function hashDiffers(name: string): Alert {
  const message = `Microsoft 365 gives out ‘${name}’ with other bytes than it lists, the same each time: they are backed up as they are given out. It does so in libraries with rights management, and with Office files that it writes into.`;
  return { code: 'hash-differs', message };
}

/** All bytes of a small file; `right` is `null` when they are not those that were listed. */
async function heldBytes(
  read: AsyncIterable<Uint8Array>,
  listed: ListedBytes,
): Promise<{ bytes: Uint8Array[]; right: Uint8Array[] | null }> {
  const bytes: Uint8Array[] = [];
  try {
    for await (const chunk of checkedBytes(read, listed, '')) bytes.push(chunk);
    return { bytes, right: bytes };
  } catch (error) {
    if (error instanceof WrongBytes) return { bytes, right: null };
    throw error;
  }
}

function currentBytes({ connection, request }: Reading, entity: JsonObject, signal: AbortSignal) {
  const path = itemPath(request.object.id, textOf(entity['id']) ?? '');
  const url = downloadUrlOf(entity);
  // Without a link the drive is asked for the content, and leads to one.
  if (url === undefined) return connection.download({ path: `${path}/content`, signal });
  const renew = async () => {
    const fresh = await connection.ask({ path: `${path}?$select=id,@microsoft.graph.downloadUrl`, signal });
    return downloadUrlOf(fresh) ?? `${path}/content`;
  };
  return connection.download({ path: url, renew, signal });
}

/** A file that may not be read, such as one with malware, says nothing of the permission to read the others. */
function ofOneFile(error: unknown, name: string): unknown {
  const isRefused = error instanceof GraphError && (error.status === 403 || error.status === 401);
  return isRefused ? refusedFile(error, name) : error;
}

function refusedFile(cause: GraphError, name: string): EngineError {
  return new EngineError('source-refused', `‘${name}’: ${cause.message}`, { cause });
}
