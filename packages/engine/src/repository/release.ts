/** Less is soon used again by itself; buffers that share their memory with others are always smaller (`Buffer.poolSize`). */
const WORTH_BYTES = 65_536;

/**
 * Gives the memory of bytes back that nobody needs any more, nor any view of them: they are gone afterwards. Else it stands until the
 * garbage collector next looks, which it does after some 64 MB of it.
 */
export function release(bytes: Uint8Array): void {
  if (bytes.length >= WORTH_BYTES && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
}
