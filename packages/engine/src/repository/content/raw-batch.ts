import type { ContentName } from '../../model/items.ts';

/** As much as a thread works on at a time; what is larger is a batch of its own. */
const BATCH_BYTES = 4 * 2 ** 20;
const CONTENTS_MAX = 2_000;

/**
 * What becomes of given bytes: a whole content of an item, a window of a content that is too long for memory, or one chunk. `chunk-again` is stored
 * even where it is stored already.
 */
export type CutAs = 'content' | 'window' | 'chunk' | 'chunk-again';

/** Bytes that are to be cut. */
export interface GivenBytes {
  name: ContentName;
  as: CutAs;
  bytes: Uint8Array;
}

/** The same, as a range of the memory of a batch. */
export interface RawContent {
  name: ContentName;
  as: CutAs;
  start: number;
  length: number;
}

/** A batch as it goes from thread to thread: its memory is given away with it. */
export interface RawBytes {
  memory: ArrayBuffer;
  /** What belongs together, such as the contents of an item: small ones share chunks. */
  groups: readonly (readonly RawContent[])[];
}

/** Bytes that wait for being cut, copied into memory that can be given to another thread and is used again. */
export class RawBatch {
  readonly groups: RawContent[][] = [];
  usedBytes = 0;
  private readonly memory: Buffer<ArrayBuffer>;
  private contents = 0;

  /** @param memory that of an earlier batch; @param bytesMin of the first group */
  constructor(memory: ArrayBuffer | undefined, bytesMin: number) {
    const isRoomy = memory !== undefined && memory.byteLength >= bytesMin;
    this.memory = isRoomy ? Buffer.from(memory) : Buffer.allocUnsafeSlow(Math.max(BATCH_BYTES, bytesMin));
  }

  fits(group: readonly GivenBytes[], bytes: number): boolean {
    return this.contents + group.length <= CONTENTS_MAX && this.usedBytes + bytes <= this.memory.length;
  }

  /** Copies the bytes, which may be used again. @returns the number of the group in the batch */
  add(group: readonly GivenBytes[]): number {
    this.contents += group.length;
    return this.groups.push(group.map((one) => this.copy(one))) - 1;
  }

  private copy({ name, as, bytes }: GivenBytes): RawContent {
    const start = this.usedBytes;
    this.memory.set(bytes, start);
    this.usedBytes += bytes.length;
    return { name, as, start, length: bytes.length };
  }

  get raw(): RawBytes {
    return { memory: this.memory.buffer, groups: this.groups };
  }
}

/** Whether memory of a batch is worth being used again: that of a larger one is given up. */
export function isUsualRoom(memory: ArrayBuffer): boolean {
  return memory.byteLength === BATCH_BYTES;
}
