import type { StoredContent } from '../../model/items.ts';
import { ContentCutter, type CutChunk, type CutterKeys } from '../content/content-cutter.ts';
import type { RawBytes } from '../content/raw-batch.ts';
import type { ChunkSizes } from '../identity.ts';
import type { ClosedPack } from './pack-builder.ts';
import { PackFiller } from './pack-filler.ts';

/** What writing needs to know of a repository. */
export interface WritingSetup {
  keys: CutterKeys & { encryption: Uint8Array };
  sizes: ChunkSizes;
}

/** What a batch consists of, as who decides about its chunks has to know it. */
export interface CutReply {
  chunks: readonly { id: string; isAgain: boolean }[];
  contents: StoredContent[][];
}

/**
 * The computing half of writing, for one run and in one thread: cuts a batch and says what is in it, and packs those of its chunks that are new. The
 * chunks of a batch wait here in between.
 */
export class BatchWork {
  private readonly cutter: ContentCutter;
  private readonly filler: PackFiller;
  private readonly cuts = new Map<number, { memory: ArrayBuffer; chunks: CutChunk[] }>();

  /** @param onPack gets each pack when it is full, or closed */
  constructor({ keys, sizes }: WritingSetup, onPack: (pack: ClosedPack) => void) {
    this.cutter = new ContentCutter(keys, sizes);
    this.filler = new PackFiller(keys.encryption, onPack);
  }

  cut(batch: number, raw: RawBytes): CutReply {
    const { chunks, contents } = this.cutter.cut(raw);
    this.cuts.set(batch, { memory: raw.memory, chunks });
    return { chunks: chunks.map(({ id, isAgain }) => ({ id, isAgain })), contents };
  }

  /** @param isNew for each chunk of the batch @returns the memory of the batch, which may be used again */
  pack(batch: number, isNew: readonly boolean[]): ArrayBuffer {
    const cut = this.cuts.get(batch);
    if (cut === undefined) throw new Error(`The batch ${batch} was not cut here.`);
    this.cuts.delete(batch);
    for (const [index, { name, plain }] of cut.chunks.entries())
      if (isNew[index] === true) this.filler.pack(name, plain);
    return cut.memory;
  }

  /** Gives away the pack that is not full. */
  close(): void {
    this.filler.close();
  }

  /** Memory of a pack that was given away, to be used again. */
  takeBack(memory: ArrayBuffer): void {
    this.filler.takeBack(memory);
  }
}
