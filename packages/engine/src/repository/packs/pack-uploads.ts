import type { ObjectStore } from '../../store/object-store.ts';
import type { StoredPack } from '../commit.ts';
import { type ClosedPack, packObjectName } from './pack-builder.ts';

const PACKS_AT_ONCE = 2;
/** Of all runs of the process together; each may have one, whatever the others have. */
const PACKS_IN_PROCESS = 3;
const inProcess = { packs: 0, waiting: new Set<() => void>() };

/** Full packs on their way into the store. */
export class PackUploads {
  bytesStored = 0;
  private readonly store: ObjectStore;
  private readonly onStored: (memory: ArrayBuffer) => void;
  private readonly onFailure: (cause: unknown) => void;
  private inFlight = 0;
  private uploads: Promise<StoredPack>[] = [];

  /**
   * @param onStored gets the memory of each stored pack, which is free again
   * @param onFailure called for each pack that could not be stored, at once; `stored` throws it again
   */
  constructor(store: ObjectStore, onStored: (memory: ArrayBuffer) => void, onFailure: (cause: unknown) => void) {
    this.store = store;
    this.onStored = onStored;
    this.onFailure = onFailure;
  }

  /** Resolves when another pack may be filled: what a slow store makes wait stays in the source. */
  async room(): Promise<void> {
    while (this.isFull()) await new Promise<void>((resume) => inProcess.waiting.add(resume));
  }

  private isFull(): boolean {
    return this.inFlight >= PACKS_AT_ONCE || (this.inFlight > 0 && inProcess.packs >= PACKS_IN_PROCESS);
  }

  send(pack: ClosedPack): void {
    this.inFlight += 1;
    inProcess.packs += 1;
    const upload = this.upload(pack);
    upload.catch(this.onFailure);
    this.uploads.push(upload);
  }

  /** All packs that were sent since the last time, when they are durable. */
  stored(): Promise<StoredPack[]> {
    const { uploads } = this;
    this.uploads = [];
    return Promise.all(uploads);
  }

  private async upload({ bytes, ...pack }: ClosedPack): Promise<StoredPack> {
    try {
      // An object with this name has the same bytes: the name is their hash. So a repeated request does no harm.
      await this.store.create(packObjectName(pack.name), bytes);
      this.bytesStored += pack.sizeBytes;
      this.onStored(bytes.buffer);
      return pack;
    } finally {
      this.inFlight -= 1;
      inProcess.packs -= 1;
      const waiting = [...inProcess.waiting];
      inProcess.waiting.clear();
      for (const resume of waiting) resume();
    }
  }
}
