/** Of each chunk its name (16 bytes), its length (4) and its bytes, back to back. */
const NAME_BYTES = 16;
const HEAD_BYTES = NAME_BYTES + 4;
/** The largest chunk (format, 5) and its head. */
const ROOM_BYTES = 4 * 2 ** 20 + HEAD_BYTES;
/** The index is asked for all of them at once. */
const CHUNKS_MAX = 2_000;

/** A chunk that is given in parts. */
export interface NewChunk {
  name: Buffer;
  /** The name as text. */
  id: string;
  parts: readonly Uint8Array[];
  size: number;
}

/** Chunks that wait for being packed, in memory that can be given to another thread and is used again. */
export class ChunkBatch {
  /** Ids of the chunks in their order, and whether each is to be stored even where it is stored already. */
  readonly chunks: { id: string; isAgain: boolean }[] = [];
  /** Of the chunks alone. */
  plainBytes = 0;
  private readonly memory: Buffer<ArrayBuffer>;
  private used = 0;

  /** @param memory that of an earlier batch */
  constructor(memory: ArrayBuffer = Buffer.allocUnsafeSlow(ROOM_BYTES).buffer) {
    this.memory = Buffer.from(memory);
  }

  fits(chunkBytes: number): boolean {
    return this.chunks.length < CHUNKS_MAX && this.used + HEAD_BYTES + chunkBytes <= this.memory.length;
  }

  /** The chunk is copied: what it was cut of need not stay for its sake. */
  add({ name, id, parts, size }: NewChunk, isAgain: boolean): void {
    this.memory.set(name, this.used);
    this.memory.writeUInt32LE(size, this.used + NAME_BYTES);
    this.used += HEAD_BYTES;
    for (const part of parts) {
      this.memory.set(part, this.used);
      this.used += part.length;
    }
    this.plainBytes += size;
    this.chunks.push({ id, isAgain });
  }

  get bytes(): BatchBytes {
    return { memory: this.memory.buffer, used: this.used };
  }
}

/** A batch as it goes from thread to thread. */
export interface BatchBytes {
  memory: ArrayBuffer;
  used: number;
}

/** The chunks of a batch in their order: views of its memory. */
export function* chunksOf({ memory, used }: BatchBytes): Generator<{ name: Buffer; plain: Buffer }> {
  const bytes = Buffer.from(memory, 0, used);
  for (let at = 0; at < used; ) {
    const start = at + HEAD_BYTES;
    const end = start + bytes.readUInt32LE(at + NAME_BYTES);
    yield { name: bytes.subarray(at, at + NAME_BYTES), plain: bytes.subarray(start, end) };
    at = end;
  }
}
