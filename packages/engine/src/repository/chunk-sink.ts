import { GatheredQuestions } from '../model/gathered-questions.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { ChunkIndex } from './chunk-index.ts';
import type { ChunkPlace, StoredPack } from './commit.ts';
import { compressChunk } from './compression.ts';
import { Gate } from './gate.ts';
import { keyedName, type RepositoryKeys } from './keys.ts';
import { PackBuilder, packObjectName } from './pack-builder.ts';

const PACK_BYTES = 16 * 2 ** 20;
/** Chunks that are between being given and being in a pack. */
const CHUNK_BYTES_AT_ONCE = 32 * 2 ** 20;
const PACKS_AT_ONCE = 3;
const LOOKUPS_MAX = 2_000;

/** Takes chunks, drops those that are stored, packs the others and sends full packs on their way. */
export class ChunkSink {
  bytesStored = 0;
  private readonly store: ObjectStore;
  private readonly keys: RepositoryKeys;
  /** Where chunks lie that are stored already. */
  private readonly known: GatheredQuestions<readonly ChunkPlace[]>;
  private readonly chunkGate = new Gate(CHUNK_BYTES_AT_ONCE);
  /** Packs on their way, and who waits for one of them to arrive: what a slow store makes wait stays in the source. */
  private uploading = 0;
  private readonly waiting: (() => void)[] = [];
  private failure: { cause: unknown } | null = null;
  private builder: PackBuilder | null = null;
  private uploads: Promise<StoredPack>[] = [];
  /** What was taken since the commit before the last: the index need not know of it yet. */
  private recent = new Map<string, Promise<void>>();
  private older = new Map<string, Promise<void>>();

  constructor(store: ObjectStore, keys: RepositoryKeys, index: ChunkIndex) {
    this.store = store;
    this.keys = keys;
    this.known = new GatheredQuestions((ids) => index.locate(ids), LOOKUPS_MAX);
  }

  /** @returns the chunk's id once a pack has it; the pack is durable after the next `flush` */
  async add(plain: Buffer): Promise<string> {
    const name = keyedName(this.keys.chunkNames, plain);
    const id = name.toString('base64url');
    const under = this.recent.get(id) ?? this.older.get(id);
    if (under !== undefined) {
      await under;
      return id;
    }
    const taking = this.take(name, id, plain);
    this.recent.set(id, taking);
    await taking;
    return id;
  }

  /** Stores a chunk whether or not it is stored already. */
  async addAgain(plain: Buffer): Promise<string> {
    const name = keyedName(this.keys.chunkNames, plain);
    await this.pack(name, plain);
    return name.toString('base64url');
  }

  /** Makes all that was taken so far durable. @returns the packs stored since the last time */
  async flush(): Promise<StoredPack[]> {
    this.sendPack();
    const uploads = this.uploads;
    this.uploads = [];
    this.older = this.recent;
    this.recent = new Map();
    return Promise.all(uploads);
  }

  private async take(name: Buffer, id: string, plain: Buffer): Promise<void> {
    await this.chunkGate.enter(plain.length);
    try {
      if ((await this.known.ask(id)) === undefined) await this.pack(name, plain);
    } finally {
      this.chunkGate.leave(plain.length);
    }
  }

  private async pack(name: Buffer, plain: Buffer): Promise<void> {
    const { bytes, isCompressed } = await compressChunk(plain);
    while (this.uploading >= PACKS_AT_ONCE) await this.uploadEnds();
    // What would follow a pack that could not be stored could not be committed either.
    if (this.failure !== null) throw this.failure.cause;
    // From here to a full pack nobody else comes in between: never more than one pack is being filled.
    this.builder ??= new PackBuilder(this.keys.encryption);
    this.builder.add(name, bytes, plain.length, isCompressed);
    if (this.builder.sizeBytes >= PACK_BYTES) this.sendPack();
  }

  private sendPack(): void {
    const { builder } = this;
    if (builder === null) return;
    this.builder = null;
    this.uploading += 1;
    const upload = this.upload(builder);
    upload.catch((cause: unknown) => {
      this.failure ??= { cause };
    });
    this.uploads.push(upload);
  }

  private uploadEnds(): Promise<void> {
    return new Promise((resume) => this.waiting.push(resume));
  }

  private async upload(builder: PackBuilder): Promise<StoredPack> {
    try {
      const { bytes, ...pack } = builder.close();
      // A name that is taken holds the same bytes: it is their hash. So a repeated request does no harm.
      await this.store.create(packObjectName(pack.name), bytes);
      this.bytesStored += pack.sizeBytes;
      return pack;
    } finally {
      this.uploading -= 1;
      for (const resume of this.waiting.splice(0)) resume();
    }
  }
}
