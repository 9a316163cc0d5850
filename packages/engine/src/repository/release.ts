/** Less is soon used again anyway; buffers that share their memory with others are always smaller (`Buffer.poolSize`). */
const WORTH_BYTES = 65_536;

/**
 * Gives back the memory of bytes when neither they nor a view of them are needed: they are gone afterwards. Otherwise it stays until the
 * garbage collector next looks, which it does after some 64 MB of it.
 */
export function release(bytes: Uint8Array): void {
  if (bytes.length >= WORTH_BYTES && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
}
