import type { StoredContent } from '../../model/items.ts';
import { SharedRoom } from '../../model/shared-room.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { ChunkIndex } from '../chunk-index.ts';
import type { StoredPack } from '../commit.ts';
import type { WritingSetup } from '../packs/batch-work.ts';
import { BatchWorkers, type PackingOptions } from '../packs/batch-workers.ts';
import { PackUploads } from '../packs/pack-uploads.ts';
import { BATCHES_AT_ONCE } from '../packs/write-pool.ts';
import { KnownChunks } from './known-chunks.ts';
import { BATCH_BYTES, type GivenBytes, isUsualRoom, RawBatch } from './raw-batch.ts';

/** For batches of all runs of the process that are filled, cut or packed. */
const batchRoom = new SharedRoom(Math.min(5, BATCHES_AT_ONCE + 1) * BATCH_BYTES);
/** A batch that is not full is sent after this. */
const LINGER_MS = 250;

/** Where given bytes are stored, as soon as they were cut. */
export type Stored = () => Promise<StoredContent[]>;

/** A batch, and what its callers wait for. */
interface OpenBatch {
  batch: RawBatch;
  /** Gives its room back. */
  leave: () => void;
  cut: PromiseWithResolvers<StoredContent[][]>;
  linger: NodeJS.Timeout;
  isHurried: boolean;
}

/**
 * Takes bytes in batches, has them cut, drops the chunks that are stored, has the others packed and sends full packs on their way. Who gives bytes waits
 * for room, where much is under way, and not for a pack.
 */
export class BatchSink {
  private readonly uploads: PackUploads;
  private readonly workers: BatchWorkers;
  private readonly known: KnownChunks;
  private readonly room = batchRoom.join();
  private open: OpenBatch | null = null;
  /** While there is no room for the next batch. */
  private opening: Promise<void> | null = null;
  private isOver = false;
  /** Of batches that were packed. */
  private readonly freeBuffers: ArrayBuffer[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private failure: { cause: unknown } | null = null;

  constructor(store: ObjectStore, setup: WritingSetup, index: ChunkIndex, packing?: PackingOptions) {
    this.known = new KnownChunks(index);
    this.workers = new BatchWorkers(setup, (pack) => this.uploads.send(pack), packing);
    this.uploads = new PackUploads(
      store,
      (memory) => this.workers.takeBack(memory),
      (cause) => this.fail(cause),
    );
  }

  get bytesStored(): number {
    return this.uploads.bytesStored;
  }

  /**
   * @param group what belongs together, such as the contents of an item; the bytes may be used again when this resolves
   * @returns when there was room, where its contents are: durable after the next `flush` that begins once that is known
   * @throws why earlier bytes could not be stored: what would follow could not be committed either
   */
  async give(group: readonly GivenBytes[]): Promise<Stored> {
    this.throwFailure();
    const bytes = group.reduce((sum, one) => sum + one.bytes.length, 0);
    return this.addIfFits(group, bytes) ?? (await this.addToNext(group, bytes));
  }

  /** Sends what is there as soon as what comes in the same moment was added. */
  hurry(): void {
    const { open } = this;
    if (open === null || open.isHurried) return;
    open.isHurried = true;
    setImmediate(() => this.open === open && this.send());
  }

  /** Makes all that was given so far durable. @returns the packs stored since the last time */
  async flush(): Promise<StoredPack[]> {
    this.send();
    this.known.rotate();
    await Promise.all(this.inFlight);
    this.throwFailure();
    await this.workers.close();
    return this.uploads.stored();
  }

  /** Gives back memory and threads; what was not flushed is lost. */
  end(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.open?.linger);
    this.open?.leave();
    this.open = null;
    return this.workers.end();
  }

  /** Adds to the open batch; `null` where there is none, or not enough room in it. */
  private addIfFits(group: readonly GivenBytes[], bytes: number): Stored | null {
    const { open } = this;
    if (open?.batch.fits(group, bytes) !== true) return null;
    const number = open.batch.add(group);
    return async () => (await open.cut.promise)[number] ?? [];
  }

  /** Waits for room for the next batch. Others that wait may use the same, and fill it first. */
  private async addToNext(group: readonly GivenBytes[], bytes: number): Promise<Stored> {
    for (;;) {
      this.opening ??= this.openNext(bytes).finally(() => {
        this.opening = null;
      });
      await this.opening;
      this.throwFailure();
      const stored = this.addIfFits(group, bytes);
      if (stored !== null) return stored;
    }
  }

  private async openNext(bytes: number): Promise<void> {
    this.send();
    const leave = await this.room.enter(Math.max(BATCH_BYTES, bytes));
    if (!this.isOver) this.open = this.newBatch(bytes, leave);
    else {
      leave();
      throw new Error('The run is over.');
    }
  }

  private newBatch(bytes: number, leave: () => void): OpenBatch {
    const cut = Promise.withResolvers<StoredContent[][]>();
    // Who waits for it gets its failure; all others learn it with the next bytes, or the next commit.
    cut.promise.catch(() => undefined);
    const linger = setTimeout(() => this.send(), LINGER_MS);
    return { batch: new RawBatch(this.freeBuffers.pop(), bytes), leave, cut, linger, isHurried: false };
  }

  private send(): void {
    const { open } = this;
    if (open === null) return;
    this.open = null;
    clearTimeout(open.linger);
    const sending = this.store(open)
      .catch((cause: unknown) => {
        this.fail(cause);
        open.cut.reject(cause);
      })
      .finally(() => {
        this.inFlight.delete(sending);
        open.leave();
      });
    this.inFlight.add(sending);
  }

  private async store({ batch, cut }: OpenBatch): Promise<void> {
    this.throwFailure();
    // What a slow store makes wait stays here, and takes no thread from other runs.
    await this.uploads.room();
    const { reply, pack } = await this.workers.cut(batch);
    const deciding = this.known.areNew(reply.chunks);
    cut.resolve(reply.contents);
    const isNew = await deciding.catch(async (cause: unknown) => {
      await pack([]);
      throw cause;
    });
    const memory = await pack(isNew);
    if (isUsualRoom(memory)) this.freeBuffers.push(memory);
  }

  private fail(cause: unknown): void {
    this.failure ??= { cause };
  }

  private throwFailure(): void {
    if (this.failure !== null) throw this.failure.cause;
  }
}
