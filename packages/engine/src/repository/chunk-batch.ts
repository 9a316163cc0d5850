/** Of each chunk its name (16 bytes), its length (4) and its bytes, back to back. */
const NAME_BYTES = 16;
const HEAD_BYTES = NAME_BYTES + 4;
const ROOM_BYTES = 2 ** 20;
/** The index is asked for all of them at once. */
const CHUNKS_MAX = 2_000;

/** Chunks that wait for being packed, in memory that can be given to another thread and is used again. */
export class ChunkBatch {
  /** Ids of the chunks in their order, and whether each is to be stored even where it is stored already. */
  readonly chunks: { id: string; isAgain: boolean }[] = [];
  /** Of the chunks alone. */
  plainBytes = 0;
  private readonly memory: Buffer<ArrayBuffer>;
  private used = 0;

  /** @param memory that of an earlier batch, used when it is large enough for this chunk */
  constructor(chunkBytes: number, memory?: Buffer<ArrayBuffer>) {
    const room = Math.max(ROOM_BYTES, chunkBytes + HEAD_BYTES);
    this.memory = memory !== undefined && memory.length >= room ? memory : Buffer.allocUnsafeSlow(room);
  }

  fits(chunkBytes: number): boolean {
    return this.chunks.length < CHUNKS_MAX && this.used + HEAD_BYTES + chunkBytes <= this.memory.length;
  }

  /** The chunk is copied: what it was cut of need not stay for its sake. */
  add(name: Buffer, id: string, plain: Uint8Array, isAgain: boolean): void {
    this.memory.set(name, this.used);
    this.memory.writeUInt32LE(plain.length, this.used + NAME_BYTES);
    this.memory.set(plain, this.used + HEAD_BYTES);
    this.used += HEAD_BYTES + plain.length;
    this.plainBytes += plain.length;
    this.chunks.push({ id, isAgain });
  }

  get bytes(): BatchBytes {
    return { memory: this.memory, used: this.used };
  }
}

/** A batch as it goes from thread to thread. */
export interface BatchBytes {
  memory: Uint8Array<ArrayBuffer>;
  used: number;
}

/** The chunks of a batch in their order: views of its memory. */
export function* chunksOf({ memory, used }: BatchBytes): Generator<{ name: Buffer; plain: Buffer }> {
  const bytes = Buffer.from(memory.buffer, memory.byteOffset, used);
  for (let at = 0; at < used; ) {
    const start = at + HEAD_BYTES;
    const end = start + bytes.readUInt32LE(at + NAME_BYTES);
    yield { name: bytes.subarray(at, at + NAME_BYTES), plain: bytes.subarray(start, end) };
    at = end;
  }
}
