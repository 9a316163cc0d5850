import { EngineError } from '../model/engine-error.ts';
import type { CreateOptions, ObjectFacts, ObjectStore } from '../store/object-store.ts';

/** A store with room for so many bytes in all. */
export class QuotaStore implements ObjectStore {
  readonly description: string;
  maxBytes: number;
  private readonly store: ObjectStore;

  constructor(store: ObjectStore, maxBytes: number) {
    this.store = store;
    this.maxBytes = maxBytes;
    this.description = store.description;
  }

  async create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    if ((await this.usedBytes()) + bytes.length > this.maxBytes)
      throw new EngineError('store-full', `${name}: the quota of the bucket is used up.`);
    return this.store.create(name, bytes, options);
  }

  read(name: string): Promise<Buffer> {
    return this.store.read(name);
  }

  readRange(name: string, start: number, length: number): Promise<Buffer> {
    return this.store.readRange(name, start, length);
  }

  list(prefix: string): AsyncIterable<ObjectFacts> {
    return this.store.list(prefix);
  }

  delete(name: string): Promise<void> {
    return this.store.delete(name);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async usedBytes(): Promise<number> {
    let used = 0;
    for await (const { sizeBytes } of this.store.list('')) used += sizeBytes;
    return used;
  }
}
