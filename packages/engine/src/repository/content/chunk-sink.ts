import type { ObjectStore } from '../../store/object-store.ts';
import type { ChunkIndex } from '../chunk-index.ts';
import type { StoredPack } from '../commit.ts';
import { Gate } from '../gate.ts';
import { keyedName, type RepositoryKeys } from '../keys.ts';
import { PackFillers, type PackingOptions } from '../packs/pack-fillers.ts';
import { PackUploads } from '../packs/pack-uploads.ts';
import { ChunkBatch, type NewChunk } from './chunk-batch.ts';

/** Chunks that are between being given and being in a pack. */
const CHUNK_BYTES_AT_ONCE = 8 * 2 ** 20;

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
  private readonly freeBuffers: ArrayBuffer[] = [];
  private readonly waiting = new Set<Promise<void>>();
  private readonly inFlight = new Set<Promise<void>>();
  private failure: { cause: unknown } | null = null;
  /** Chunks added since the commit before the last: the index may not know them yet. */
  private recent = new Set<string>();
  private older = new Set<string>();

  constructor(store: ObjectStore, keys: RepositoryKeys, index: ChunkIndex, packing?: PackingOptions) {
    this.keys = keys;
    this.index = index;
    this.fillers = new PackFillers(keys.encryption, (pack) => this.uploads.send(pack), packing);
    this.uploads = new PackUploads(
      store,
      (memory) => this.fillers.takeBack(memory),
      (cause) => this.fail(cause),
    );
  }

  get bytesStored(): number {
    return this.uploads.bytesStored;
  }

  /**
   * @param parts of the chunk, in their order; they may be used again when this resolves
   * @returns the chunk's id when there was room for it; it is durable after the next `flush`
   * @throws why an earlier chunk could not be stored: what would follow could not be committed either
   */
  async add(...parts: readonly Uint8Array[]): Promise<string> {
    const chunk = this.named(parts);
    const { id } = chunk;
    if (this.recent.has(id) || this.older.has(id)) return id;
    this.recent.add(id);
    await this.addChunk(chunk, false);
    return id;
  }

  /** Stores a chunk whether or not it is stored already. */
  async addAgain(plain: Uint8Array): Promise<string> {
    const chunk = this.named([plain]);
    await this.addChunk(chunk, true);
    return chunk.id;
  }

  /** Makes all that was given so far durable. @returns the packs stored since the last time */
  async flush(): Promise<StoredPack[]> {
    await Promise.all(this.waiting);
    this.sendBatch();
    this.older = this.recent;
    this.recent = new Set();
    await Promise.all(this.inFlight);
    this.throwFailure();
    await this.fillers.close();
    return this.uploads.stored();
  }

  /** Gives back memory and threads; what was not flushed is lost. */
  end(): Promise<void> {
    return this.fillers.end();
  }

  private named(parts: readonly Uint8Array[]): NewChunk {
    const name = keyedName(this.keys.chunkNames, ...parts);
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    return { name, id: name.toString('base64url'), parts, size };
  }

  private async addChunk(chunk: NewChunk, isAgain: boolean): Promise<void> {
    this.throwFailure();
    if (this.gate.enterNow(chunk.size)) {
      this.addToBatch(chunk, isAgain);
      return;
    }
    const taking = this.gate.enter(chunk.size).then(() => this.addToBatch(chunk, isAgain));
    this.waiting.add(taking);
    await taking.finally(() => this.waiting.delete(taking));
    this.throwFailure();
  }

  private addToBatch(chunk: NewChunk, isAgain: boolean): void {
    if (this.batch?.fits(chunk.size) === false) this.sendBatch();
    this.batch ??= new ChunkBatch(this.freeBuffers.pop());
    this.batch.add(chunk, isAgain);
  }

  private sendBatch(): void {
    const { batch } = this;
    if (batch === null) return;
    this.batch = null;
    const sending = this.pack(batch)
      .catch((cause: unknown) => this.fail(cause))
      .finally(() => {
        this.inFlight.delete(sending);
        this.gate.leave(batch.plainBytes);
      });
    this.inFlight.add(sending);
  }

  private async pack(batch: ChunkBatch): Promise<void> {
    this.throwFailure();
    const asked = batch.chunks.filter(({ isAgain }) => !isAgain).map(({ id }) => id);
    const known = await this.index.locate(asked);
    const isToPack = batch.chunks.map(({ id, isAgain }) => isAgain || !known.has(id));
    const memory = isToPack.includes(true) ? await this.fill(batch, isToPack) : batch.bytes.memory;
    this.freeBuffers.push(memory);
  }

  private async fill(batch: ChunkBatch, isToPack: readonly boolean[]): Promise<ArrayBuffer> {
    await this.uploads.room();
    this.throwFailure();
    return this.fillers.fill(batch, isToPack);
  }

  private fail(cause: unknown): void {
    this.failure ??= { cause };
  }

  private throwFailure(): void {
    if (this.failure !== null) throw this.failure.cause;
  }
}
