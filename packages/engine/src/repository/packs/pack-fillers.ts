import type { ChunkBatch } from '../content/chunk-batch.ts';
import type { ClosedPack } from './pack-builder.ts';
import { PackFiller } from './pack-filler.ts';
import { PackThread } from './pack-thread.ts';

/** A run that stores less is over before a thread would have begun. */
const HERE_BYTES_MAX = 8 * 2 ** 20;
/** A small chunk takes as long as one of so many bytes. */
const CHUNK_BYTES_MIN = 8_192;

export interface PackingOptions {
  /** How much is packed in the thread that called, before one is begun for that. */
  hereBytesMax?: number;
  /** What that thread runs. */
  program?: URL;
}

/** Fills packs: the first ones in this thread, and when there is more to come, in one of their own. */
export class PackFillers {
  private readonly encryption: Uint8Array;
  private readonly onPack: (pack: ClosedPack) => void;
  private readonly here: PackFiller;
  private thread: PackThread | null = null;
  private readonly program: URL | undefined;
  private hereBytesLeft: number;

  constructor(encryption: Uint8Array, onPack: (pack: ClosedPack) => void, options: PackingOptions = {}) {
    this.encryption = encryption;
    this.onPack = onPack;
    this.here = new PackFiller(encryption, onPack);
    this.program = options.program;
    this.hereBytesLeft = options.hereBytesMax ?? HERE_BYTES_MAX;
  }

  /**
   * @param isToPack for each chunk of the batch, whether it is to be packed
   * @returns the memory of the batch, which may be used again
   */
  async fill({ bytes, plainBytes, chunks }: ChunkBatch, isToPack: readonly boolean[]): Promise<ArrayBuffer> {
    const cost = Math.max(plainBytes, chunks.length * CHUNK_BYTES_MIN);
    if (this.thread === null && this.hereBytesLeft >= cost) {
      this.hereBytesLeft -= cost;
      this.here.fill(bytes, isToPack);
      return bytes.memory;
    }
    this.thread ??= new PackThread(this.encryption, this.onPack, this.program);
    return this.thread.fill(bytes, isToPack);
  }

  /** Memory of a pack that was given away and is stored. */
  takeBack(memory: ArrayBuffer): void {
    (this.thread ?? this.here).takeBack(memory);
  }

  /** Resolves when all that was filled in so far is in packs that were given away. */
  async close(): Promise<void> {
    this.here.close();
    await this.thread?.close();
  }

  /** Gives up what is not in a pack, and all threads. */
  async end(): Promise<void> {
    await this.thread?.end();
  }
}
