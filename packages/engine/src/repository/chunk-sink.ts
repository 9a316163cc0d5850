import type { ObjectStore } from '../store/object-store.ts';
import { ChunkBatch } from './chunk-batch.ts';
import type { ChunkIndex } from './chunk-index.ts';
import type { StoredPack } from './commit.ts';
import { Gate } from './gate.ts';
import { keyedName, type RepositoryKeys } from './keys.ts';
import { PackFillers } from './pack-fillers.ts';
import { PackUploads } from './pack-uploads.ts';

/** Chunks that are between being given and being in a pack. */
const CHUNK_BYTES_AT_ONCE = 16 * 2 ** 20;
const MEMORIES_MAX = 16;

/**
 * Takes chunks, drops those that are stored, packs the others and sends full packs on their way. Chunks are asked for and packed in
 * batches: who gives one waits for room, where much is under way, and not for its pack.
 */
export class ChunkSink {
  private readonly keys: RepositoryKeys;
  private readonly index: ChunkIndex;
  private readonly uploads: PackUploads;
  private readonly fillers: PackFillers;
  private readonly gate = new Gate(CHUNK_BYTES_AT_ONCE);
  private batch: ChunkBatch | null = null;
  /** Of batches that were packed. */
  private readonly memories: Buffer<ArrayBuffer>[] = [];
  private readonly waiting = new Set<Promise<void>>();
  private readonly under = new Set<Promise<void>>();
  private failure: { cause: unknown } | null = null;
  /** What was taken since the commit before the last: the index need not know of it yet. */
  private recent = new Set<string>();
  private older = new Set<string>();

  /** @param hereBytesMax what is packed in this thread, before another one is begun */
  constructor(store: ObjectStore, keys: RepositoryKeys, index: ChunkIndex, hereBytesMax?: number) {
    this.keys = keys;
    this.index = index;
    this.uploads = new PackUploads(store, (cause) => this.fail(cause));
    this.fillers = new PackFillers(keys.encryption, (pack) => this.uploads.send(pack), hereBytesMax);
  }

  get bytesStored(): number {
    return this.uploads.bytesStored;
  }

  /**
   * @returns the chunk's id when there was room for it; it is durable after the next `flush`
   * @throws why an earlier chunk could not be stored: what would follow could not be committed either
   */
  async add(plain: Uint8Array): Promise<string> {
    const name = keyedName(this.keys.chunkNames, plain);
    const id = name.toString('base64url');
    if (this.recent.has(id) || this.older.has(id)) return id;
    this.recent.add(id);
    await this.take(name, id, plain, false);
    return id;
  }

  /** Stores a chunk whether or not it is stored already. */
  async addAgain(plain: Uint8Array): Promise<string> {
    const name = keyedName(this.keys.chunkNames, plain);
    const id = name.toString('base64url');
    await this.take(name, id, plain, true);
    return id;
  }

  /** Makes all that was given so far durable. @returns the packs stored since the last time */
  async flush(): Promise<StoredPack[]> {
    await Promise.all(this.waiting);
    this.sendBatch();
    this.older = this.recent;
    this.recent = new Set();
    await Promise.all(this.under);
    this.throwFailure();
    await this.fillers.close();
    return this.uploads.stored();
  }

  /** Gives back memory and threads; what was not flushed is lost. */
  end(): Promise<void> {
    return this.fillers.end();
  }

  private async take(name: Buffer, id: string, plain: Uint8Array, isAgain: boolean): Promise<void> {
    this.throwFailure();
    if (this.gate.enterNow(plain.length)) {
      this.addToBatch(name, id, plain, isAgain);
      return;
    }
    const taking = this.gate.enter(plain.length).then(() => this.addToBatch(name, id, plain, isAgain));
    this.waiting.add(taking);
    await taking.finally(() => this.waiting.delete(taking));
    this.throwFailure();
  }

  private addToBatch(name: Buffer, id: string, plain: Uint8Array, isAgain: boolean): void {
    if (this.batch?.fits(plain.length) === false) this.sendBatch();
    this.batch ??= new ChunkBatch(plain.length, this.memories.pop());
    this.batch.add(name, id, plain, isAgain);
  }

  private sendBatch(): void {
    const { batch } = this;
    if (batch === null) return;
    this.batch = null;
    const sending = this.pack(batch)
      .catch((cause: unknown) => this.fail(cause))
      .finally(() => {
        this.under.delete(sending);
        this.gate.leave(batch.plainBytes);
      });
    this.under.add(sending);
  }

  private async pack(batch: ChunkBatch): Promise<void> {
    this.throwFailure();
    const asked = batch.chunks.filter(({ isAgain }) => !isAgain).map(({ id }) => id);
    const known = await this.index.locate(asked);
    const isWanted = batch.chunks.map(({ id, isAgain }) => isAgain || !known.has(id));
    const memory = isWanted.includes(true) ? await this.fill(batch, isWanted) : batch.bytes.memory;
    if (memory !== null && this.memories.length < MEMORIES_MAX) this.memories.push(Buffer.from(memory.buffer));
  }

  private async fill(batch: ChunkBatch, isWanted: readonly boolean[]): Promise<Uint8Array<ArrayBuffer> | null> {
    await this.uploads.room();
    this.throwFailure();
    return this.fillers.fill(batch, isWanted);
  }

  private fail(cause: unknown): void {
    this.failure ??= { cause };
  }

  private throwFailure(): void {
    if (this.failure !== null) throw this.failure.cause;
  }
}
