import { EngineError } from '../../../model/engine-error.ts';
import type { HttpReply } from './transport.ts';

/** Of a reply that is held whole; pages and batches are a few megabytes. */
const HELD_BYTES_MAX = 64 * 2 ** 20;
/** Most replies are shorter. A longer one gets memory of its own. */
const USUAL_BYTES = 2 ** 22;
/** For one reply after the other: new memory for each would be as much again as all replies for the garbage collector. */
const usualRoom = Buffer.allocUnsafeSlow(USUAL_BYTES);

/** A reply is larger than what is held in memory of one. */
export class ReplyTooLarge extends EngineError {
  constructor(bytesMax: number) {
    const message = `Microsoft 365 answered with more than ${bytesMax / 2 ** 20} MB where less was asked for: the reply is refused. It is tried again with the next run.`;
    super('source-refused', message);
  }
}

/** The bytes of a reply that is held whole. @throws ReplyTooLarge for one that is larger than it may be */
export async function heldBytes(reply: HttpReply, bytesMax?: number): Promise<Buffer> {
  return Buffer.concat(await piecesOf(reply, bytesMax));
}

export function heldText(reply: HttpReply, bytesMax?: number): Promise<string> {
  return readHeld(reply, bytesMax, (bytes) => bytes.toString());
}

/**
 * What is made of the bytes of a reply that is held whole.
 * @param read gets memory that the next reply is read into: what it returns must not refer to it
 * @throws ReplyTooLarge for a reply that is larger than it may be, and what `read` throws
 */
export async function readHeld<T>(
  reply: HttpReply,
  bytesMax: number | undefined,
  read: (bytes: Buffer) => T,
): Promise<T> {
  const pieces = await piecesOf(reply, bytesMax);
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  if (sizeBytes > USUAL_BYTES) return read(Buffer.concat(pieces));
  let at = 0;
  for (const piece of pieces) {
    usualRoom.set(piece, at);
    at += piece.length;
  }
  return read(usualRoom.subarray(0, at));
}

async function piecesOf(reply: HttpReply, bytesMax = HELD_BYTES_MAX): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop ends the reply.
  for await (const piece of reply.body) {
    sizeBytes += piece.length;
    if (sizeBytes > bytesMax) throw new ReplyTooLarge(bytesMax);
    pieces.push(piece);
  }
  return pieces;
}
