import { EngineError } from '../../../model/engine-error.ts';
import type { HttpReply } from './transport.ts';

/** Of a reply that is held whole; pages and batches are a few megabytes. */
const HELD_BYTES_MAX = 64 * 2 ** 20;

/** The bytes of a reply that is held whole. @throws EngineError `source-refused` for one that is larger than it may be */
export async function heldBytes(reply: HttpReply, bytesMax = HELD_BYTES_MAX): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop ends the reply.
  for await (const piece of reply.body) {
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

export async function heldText(reply: HttpReply, bytesMax?: number): Promise<string> {
  return (await heldBytes(reply, bytesMax)).toString();
}
