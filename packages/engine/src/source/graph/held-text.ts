import { EngineError } from '../../model/engine-error.ts';

/** Of a reply that is held whole; pages and batches are a few megabytes. */
const HELD_BYTES_MAX = 64 * 2 ** 20;

/** The bytes of a reply that is held whole. @throws EngineError `source-refused` for one that is larger than it may be */
export async function heldBytes(response: Response, bytesMax = HELD_BYTES_MAX): Promise<Buffer> {
  if (response.body === null) return Buffer.alloc(0);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop ends the reply.
  for await (const piece of response.body) {
    sizeBytes += piece.length;
    if (sizeBytes > bytesMax)
      throw new EngineError(
        'source-refused',
        `Microsoft 365 answered with more than ${bytesMax / 2 ** 20} MB where less was asked for: the reply is refused. It is tried again with the next run.`,
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export async function heldText(response: Response, bytesMax?: number): Promise<string> {
  return (await heldBytes(response, bytesMax)).toString();
}
