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
import { type GivenBytes, isUsualRoom, RawBatch } from './raw-batch.ts';

/** Bytes of a run that are between being given and being in a pack: a batch that is filled, and those that threads have. */
const BYTES_AT_ONCE = Math.min(20, 4 * (BATCHES_AT_ONCE + 1)) * 2 ** 20;
/** Of these a run may always have a batch, and all runs of the process together what two windows of large messages need. */
const RESERVE_BYTES = 4 * 2 ** 20;
const SIZES = { room: 40 * 2 ** 20, share: BYTES_AT_ONCE - RESERVE_BYTES, reserve: RESERVE_BYTES };
const processRoom = new SharedRoom(SIZES);
/** Of batches that were packed: what is not in use has no room. */
const SPARE_MAX = 2;
/** A batch that is not full is sent after this. */
const LINGER_MS = 250;

/** Where given bytes are stored, as soon as they were cut. */
export type Stored = () => Promise<StoredContent[]>;

/** A batch, and what its callers wait for. */
interface OpenBatch {
  batch: RawBatch;
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
  private readonly gate = processRoom.share();
  private open: OpenBatch | null = null;
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
    if (!this.gate.enterNow(bytes)) await this.waitForRoom(bytes);
    const open = this.batchFor(group, bytes);
    const number = open.batch.add(group);
    return async () => (await open.cut.promise)[number] ?? [];
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
  end(): void {
    this.fail(new Error('The run is over.'));
    const { open } = this;
    this.open = null;
    if (open !== null) {
      clearTimeout(open.linger);
      this.gate.leave(open.batch.usedBytes);
    }
    this.workers.end();
  }

  private async waitForRoom(bytes: number): Promise<void> {
    // What waits for more may be all that is in the way.
    this.send();
    await this.gate.enter(bytes);
    if (this.failure === null) return;
    // The next one that waits has to learn it too.
    this.gate.leave(bytes);
    this.throwFailure();
  }

  private batchFor(group: readonly GivenBytes[], bytes: number): OpenBatch {
    if (this.open?.batch.fits(group, bytes) === false) this.send();
    this.open ??= this.newBatch(bytes);
    return this.open;
  }

  private newBatch(bytes: number): OpenBatch {
    const cut = Promise.withResolvers<StoredContent[][]>();
    // Who waits for it gets its failure; all others learn it with the next bytes, or the next commit.
    cut.promise.catch(() => undefined);
    const linger = setTimeout(() => this.send(), LINGER_MS);
    return { batch: new RawBatch(this.freeBuffers.pop(), bytes), cut, linger, isHurried: false };
  }

  private send(): void {
    const { open } = this;
    if (open === null) return;
    this.open = null;
    clearTimeout(open.linger);
    const { usedBytes } = open.batch;
    const sending = this.store(open)
      .catch((cause: unknown) => {
        this.fail(cause);
        open.cut.reject(cause);
      })
      .finally(() => {
        this.inFlight.delete(sending);
        this.gate.leave(usedBytes);
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
    if (isUsualRoom(memory) && this.freeBuffers.length < SPARE_MAX) this.freeBuffers.push(memory);
  }

  private fail(cause: unknown): void {
    this.failure ??= { cause };
  }

  private throwFailure(): void {
    if (this.failure !== null) throw this.failure.cause;
  }
}
