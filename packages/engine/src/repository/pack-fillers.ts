import type { ChunkBatch } from './chunk-batch.ts';
import type { ClosedPack } from './pack-builder.ts';
import { PackFiller } from './pack-filler.ts';
import { PackThread } from './pack-thread.ts';

/** A run that stores less is over before a thread would have begun. */
const HERE_BYTES_MAX = 8 * 2 ** 20;

/** Fills packs: the first ones in this thread, and when there is more to come, in one of their own. */
export class PackFillers {
  private readonly encryption: Uint8Array;
  private readonly onPack: (pack: ClosedPack) => void;
  private readonly here: PackFiller;
  private thread: PackThread | null = null;
  private hereBytesLeft: number;

  constructor(encryption: Uint8Array, onPack: (pack: ClosedPack) => void, hereBytesMax = HERE_BYTES_MAX) {
    this.encryption = encryption;
    this.onPack = onPack;
    this.here = new PackFiller(encryption, onPack);
    this.hereBytesLeft = hereBytesMax;
  }

  /**
   * @param isWanted for each chunk of the batch, whether it is to be packed
   * @returns the memory of the batch, which may be used again
   */
  async fill({ bytes, plainBytes }: ChunkBatch, isWanted: readonly boolean[]): Promise<ArrayBuffer> {
    if (this.thread === null && this.hereBytesLeft >= plainBytes) {
      this.hereBytesLeft -= plainBytes;
      this.here.fill(bytes, isWanted);
      return bytes.memory;
    }
    this.thread ??= new PackThread(this.encryption, this.onPack);
    return this.thread.fill(bytes, isWanted);
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
