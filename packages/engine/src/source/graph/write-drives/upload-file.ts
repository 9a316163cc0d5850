import { EngineError } from '../../../model/engine-error.ts';
import { cleanedUp } from '../../../model/stoppable.ts';
import type { FileTimes } from '../../drive-target.ts';
import { NameInUseError, type TargetContent } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { QuickXorHash } from '../drive/quick-xor-hash.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectOf, textOf, textsOf } from '../json.ts';

/** A piece of an upload: a multiple of 320 KiB, as the vendor asks; https://learn.microsoft.com/graph/api/driveitem-createuploadsession */
const PIECE_BYTES = 10 * 1024 * 1024;

/**
 * Writes a file of any size in pieces, of which one is in memory at a time. The file changes with the last piece alone. A file that another
 * writer created under a new file's name meanwhile stays as it is.
 * @param path of the file, to which the operation is appended: `/drives/1/items/2`, or for a new one `/drives/1/items/2:/name:`
 * @returns the file's entity
 * @throws NameInUseError for a new file whose name is no longer free
 */
export async function uploadFile(
  connection: GraphConnection,
  path: string,
  content: TargetContent,
  times: FileTimes,
  signal: AbortSignal,
): Promise<JsonObject> {
  const total = content.sizeBytes;
  if (total === 0) return writeEmpty(connection, path, times, signal);
  const item = { [CONFLICT]: isNew(path) ? 'fail' : 'replace', fileSystemInfo: times, fileSize: total };
  const call = {
    method: 'POST',
    path: `${path}/createUploadSession`,
    body: { item },
    isRepeatable: true,
    signal,
  } as const;
  const url = textOf((await ifFree(connection.ask(call)))['uploadUrl']);
  if (url === undefined)
    throw new EngineError('source-refused', 'Microsoft 365 opened no upload for the file. Try again.');
  try {
    return await ifFree(putPieces(connection, { url, path, total }, content, signal));
  } catch (error) {
    // An abandoned upload session expires; ending it frees its space at once.
    await cleanedUp(signal, (limited) =>
      connection.ask({ method: 'DELETE', path: url, signal: limited }).catch(() => undefined),
    );
    throw error;
  }
}

/** By its name a file is new; one that exists goes by its id. */
const isNew = (path: string) => path.endsWith(':');

const CONFLICT = '@microsoft.graph.conflictBehavior';

/** A request whose name is in use is refused with 409; https://learn.microsoft.com/graph/api/resources/driveitem#instance-attributes */
async function ifFree<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GraphError && error.status === 409 && error.graphCode === 'nameAlreadyExists')
      throw new NameInUseError(error);
    throw error;
  }
}

/** An upload session takes no file without bytes. Sent twice, it would find its own file in its way. */
async function writeEmpty(connection: GraphConnection, path: string, times: FileTimes, signal: AbortSignal) {
  const call = {
    method: 'PUT',
    path: `${path}/content${isNew(path) ? `?${CONFLICT}=fail` : ''}`,
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(0),
    isRepeatable: !isNew(path),
    signal,
  } as const;
  const entity = await ifFree(connection.ask(call));
  const item = path.replace(/\/items\/.*$/, `/items/${encodeURIComponent(textOf(entity['id']) ?? '')}`);
  return connection.ask({ method: 'PATCH', path: item, body: { fileSystemInfo: times }, signal });
}

interface Piece {
  bytes: Buffer;
  /** Its offset in the file. */
  start: number;
  /** Of the file up to the end of the piece. */
  hash: QuickXorHash;
}

interface Upload {
  url: string;
  path: string;
  total: number;
}

async function putPieces(connection: GraphConnection, upload: Upload, content: TargetContent, signal: AbortSignal) {
  let entity: JsonObject | null = null;
  let start = 0;
  const hash = new QuickXorHash();
  for await (const piece of piecesOf(content.open())) {
    hash.update(piece);
    entity = await putPiece(connection, upload, { bytes: piece, start, hash }, signal);
    start += piece.length;
  }
  if (start !== upload.total || entity === null)
    throw new EngineError('damaged', `The file has ${start} bytes where ${upload.total} were stored.`);
  return entity;
}

async function putPiece(
  connection: GraphConnection,
  { url, path, total }: Upload,
  { bytes, start, hash }: Piece,
  signal: AbortSignal,
) {
  const end = start + bytes.length;
  const headers = { 'content-type': 'application/octet-stream', 'content-range': `bytes ${start}-${end - 1}/${total}` };
  try {
    return await connection.ask({ method: 'PUT', path: url, headers, body: bytes, signal });
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    // It was accepted, and the answer was lost: the next attempt finds it there, or, after the last piece, the session over.
    if (error.status === 416 && (await nextStart(connection, url, signal)) === end) return {};
    if (error.status === 404 && end === total) {
      const there = await connection.ask({ path: path.replace(/:$/, ''), signal });
      // Another writer may have created the file: it is this one if it has its bytes.
      if (textOf(objectOf(objectOf(there['file'])['hashes'])['quickXorHash']) === hash.digest()) return there;
    }
    throw error;
  }
}

async function nextStart(connection: GraphConnection, url: string, signal: AbortSignal): Promise<number> {
  const state = await connection.ask({ path: url, signal });
  return Number.parseInt(textsOf(state['nextExpectedRanges'])[0] ?? '', 10);
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    while (length >= PIECE_BYTES) {
      const joined = Buffer.concat(parts);
      yield joined.subarray(0, PIECE_BYTES);
      parts = [joined.subarray(PIECE_BYTES)];
      length -= PIECE_BYTES;
    }
  }
  if (length > 0) yield Buffer.concat(parts);
}
