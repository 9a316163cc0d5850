import type { RawBatch } from '../content/raw-batch.ts';
import { BatchWork, type WritingSetup } from './batch-work.ts';
import type { ClosedPack } from './pack-builder.ts';
import { type CutInThread, type PoolRun, WritePool } from './write-pool.ts';

/** A run that stores less is over before a thread would have begun. */
const HERE_BYTES_MAX = 8 * 2 ** 20;
/** A small item takes as long as one of so many bytes. */
const GROUP_BYTES_MIN = 8_192;

export interface PackingOptions {
  /** How much is cut and packed in the thread that called, before others are begun for that. */
  hereBytesMax?: number;
  /** What those threads run. */
  program?: URL;
}

const processPool = new WritePool();

/** Cuts and packs the batches of a run: the first ones in this thread, and when there is more to come, in those of the process. */
export class BatchWorkers {
  private readonly setup: WritingSetup;
  private readonly onPack: (pack: ClosedPack) => void;
  private readonly here: BatchWork;
  private readonly pool: WritePool;
  private threads: PoolRun | null = null;
  private hereBytesLeft: number;
  private hereBatches = 0;

  constructor(setup: WritingSetup, onPack: (pack: ClosedPack) => void, options: PackingOptions = {}) {
    this.setup = setup;
    this.onPack = onPack;
    this.here = new BatchWork(setup, onPack);
    this.pool = options.program === undefined ? processPool : new WritePool(options.program);
    this.hereBytesLeft = options.hereBytesMax ?? HERE_BYTES_MAX;
  }

  /** Cuts a batch and says what is in it; its chunks wait for being packed. */
  async cut(batch: RawBatch): Promise<CutInThread> {
    const cost = Math.max(batch.usedBytes, batch.groups.length * GROUP_BYTES_MIN);
    if (this.threads === null && this.hereBytesLeft >= cost) {
      this.hereBytesLeft -= cost;
      return this.cutHere(batch);
    }
    if (this.threads === null) {
      this.threads = this.pool.join(this.setup, this.onPack);
      // Its pack would stay in memory until the next commit, and get nothing more.
      this.here.close();
    }
    return this.threads.cut(batch.raw);
  }

  /** Memory of a pack that was given away and is stored. */
  takeBack(memory: ArrayBuffer): void {
    if (this.threads === null) this.here.takeBack(memory);
    else this.threads.takeBack(memory);
  }

  /** Resolves when all that was packed so far is in packs that were given away. */
  async close(): Promise<void> {
    this.here.close();
    await this.threads?.close();
  }

  /** Gives up what is not in a pack, and the threads. */
  end(): void {
    this.threads?.end();
  }

  private cutHere({ raw }: RawBatch): CutInThread {
    this.hereBatches += 1;
    const number = this.hereBatches;
    return { reply: this.here.cut(number, raw), pack: async (isNew) => this.here.pack(number, isNew) };
  }
}
