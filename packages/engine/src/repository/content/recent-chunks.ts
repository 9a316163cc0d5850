/** Small chunks, which have several contents of an item, and groups of them. */
const CHUNK_BYTES_MAX = 262_144;
const BYTES_MAX = 16 * 2 ** 20;

/** Chunks and groups that were read a moment ago, of all repositories that are open in the process: a portal has many open, and reads few at a time. */
export class RecentChunks {
  private readonly chunks = new Map<string, Buffer>();
  private bytes = 0;
  private readonly bytesMax: number;

  constructor(bytesMax = BYTES_MAX) {
    this.bytesMax = bytesMax;
  }

  get(key: string): Buffer | undefined {
    const chunk = this.chunks.get(key);
    if (chunk === undefined) return undefined;
    // The one that was used last leaves last.
    this.chunks.delete(key);
    this.chunks.set(key, chunk);
    return chunk;
  }

  add(key: string, chunk: Buffer): void {
    if (chunk.length > CHUNK_BYTES_MAX || this.chunks.has(key)) return;
    this.chunks.set(key, chunk);
    this.bytes += chunk.length;
    for (const [oldest, { length }] of this.chunks) {
      if (this.bytes <= this.bytesMax) return;
      this.chunks.delete(oldest);
      this.bytes -= length;
    }
  }
}
