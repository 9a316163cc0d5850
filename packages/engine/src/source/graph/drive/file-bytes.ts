import { EngineError } from '../../../model/engine-error.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, numberOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { checkedBytes, type ToldBytes, toldBytes, WrongBytes } from './checked-bytes.ts';
import { downloadUrlOf } from './drive-item.ts';
import { itemPath, versionPath } from './drive-paths.ts';

/** Files of up to that size are held until they are known to be right, and read again when they are not. */
const HELD_BYTES = 4 * 1024 * 1024;

/**
 * The bytes of a file as it is now. The link of the entity is used while it holds; a break goes on where it was.
 * @throws WrongBytes when they are not what the drive tells: for small files after a second reading, for large ones after the first
 */
export async function* fileBytes(
  reading: Reading,
  entity: JsonObject,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const told = toldBytes(entity);
  const name = textOf(entity['name']) ?? '';
  try {
    if ((told.sizeBytes ?? HELD_BYTES + 1) > HELD_BYTES)
      return yield* checkedBytes(currentBytes(reading, entity, signal), told, name);
    yield* (await heldBytes(reading, entity, told, signal)) ?? (await secondTry(reading, entity, signal));
  } catch (error) {
    throw ofOneFile(error, name);
  }
}

/** The bytes of an earlier version, of which the drive tells a length and no hash. */
export async function* versionBytes(
  { connection, request }: Reading,
  item: { id: string; name: string },
  version: JsonObject,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const id = textOf(version['id']) ?? '';
  const name = `${item.name}, version ${id}`;
  try {
    const bytes = connection.download({ path: versionPath(request.object.id, item.id, id), signal });
    yield* checkedBytes(bytes, { sizeBytes: numberOf(version['size']) ?? null, hash: null }, name);
  } catch (error) {
    throw ofOneFile(error, name);
  }
}

async function secondTry(reading: Reading, entity: JsonObject, signal: AbortSignal): Promise<Uint8Array[]> {
  const path = itemPath(reading.request.object.id, textOf(entity['id']) ?? '');
  // It may have changed since it was listed: then that is what is right now, and the next run reads it once more.
  const now = await reading.connection.ask({ path, signal });
  const bytes = await heldBytes(reading, now, toldBytes(now), signal);
  if (bytes !== null) return bytes;
  throw new WrongBytes(textOf(entity['name']) ?? '', 'twice');
}

/** @returns `null` when they are wrong */
async function heldBytes(
  reading: Reading,
  entity: JsonObject,
  told: ToldBytes,
  signal: AbortSignal,
): Promise<Uint8Array[] | null> {
  const held: Uint8Array[] = [];
  try {
    for await (const chunk of checkedBytes(currentBytes(reading, entity, signal), told, '')) held.push(chunk);
    return held;
  } catch (error) {
    if (error instanceof WrongBytes) return null;
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
