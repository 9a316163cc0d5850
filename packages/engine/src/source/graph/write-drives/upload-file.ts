import { EngineError } from '../../../model/engine-error.ts';
import type { FileTimes } from '../../drive-target.ts';
import type { TargetContent } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, numberOf, textOf, textsOf } from '../json.ts';

/** A piece of an upload: a multiple of 320 KiB, as the vendor asks; https://learn.microsoft.com/graph/api/driveitem-createuploadsession */
const PIECE_BYTES = 10 * 1024 * 1024;

/**
 * Writes a file of any size in pieces, of which one is in memory at a time. The file changes with the last piece alone.
 * @param path of the file, behind which the operation stands: `/drives/1/items/2`, or `/drives/1/items/2:/name:`
 * @returns the file's entity
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
  // What stands under the name by then can only be what this upload wrote, when its answer was lost.
  const item = { '@microsoft.graph.conflictBehavior': 'replace', fileSystemInfo: times, fileSize: total };
  const call = {
    method: 'POST',
    path: `${path}/createUploadSession`,
    body: { item },
    isRepeatable: true,
    signal,
  } as const;
  const url = textOf((await connection.ask(call))['uploadUrl']);
  if (url === undefined)
    throw new EngineError('source-refused', 'Microsoft 365 opened no upload for the file. Try again.');
  try {
    return await putPieces(connection, { url, path, total }, content, signal);
  } catch (error) {
    // An upload nobody goes on with ends by itself; ending it gives back its room at once.
    await connection.ask({ method: 'DELETE', path: url }).catch(() => undefined);
    throw error;
  }
}

/** An upload session takes no file without bytes. */
async function writeEmpty(connection: GraphConnection, path: string, times: FileTimes, signal: AbortSignal) {
  const headers = { 'content-type': 'application/octet-stream' };
  const entity = await connection.ask({
    method: 'PUT',
    path: `${path}/content`,
    headers,
    body: new Uint8Array(0),
    signal,
  });
  const item = path.replace(/\/items\/.*$/, `/items/${encodeURIComponent(textOf(entity['id']) ?? '')}`);
  return connection.ask({ method: 'PATCH', path: item, body: { fileSystemInfo: times }, signal });
}

interface Upload {
  url: string;
  path: string;
  total: number;
}

async function putPieces(connection: GraphConnection, upload: Upload, content: TargetContent, signal: AbortSignal) {
  let entity: JsonObject | null = null;
  let start = 0;
  for await (const piece of piecesOf(content.open())) {
    entity = await putPiece(connection, upload, piece, start, signal);
    start += piece.length;
  }
  if (start !== upload.total || entity === null)
    throw new EngineError('damaged', `The file has ${start} bytes where ${upload.total} were stored.`);
  return entity;
}

async function putPiece(
  connection: GraphConnection,
  { url, path, total }: Upload,
  piece: Buffer,
  start: number,
  signal: AbortSignal,
) {
  const end = start + piece.length;
  const headers = { 'content-type': 'application/octet-stream', 'content-range': `bytes ${start}-${end - 1}/${total}` };
  try {
    return await connection.ask({ method: 'PUT', path: url, headers, body: piece, signal });
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    // It was taken, and the answer was lost: the next try finds it there, or, after the last piece, the session over.
    if (error.status === 416 && (await nextStart(connection, url, signal)) === end) return {};
    if (error.status === 404 && end === total) {
      const written = await connection.ask({ path: path.replace(/:$/, ''), signal });
      if (numberOf(written['size']) === total) return written;
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
