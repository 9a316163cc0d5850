import { EngineError } from '../model/engine-error.ts';
import type { CreateOptions, ObjectStore } from '../store/object-store.ts';
import { WrappedStore } from '../store/wrapped-store.ts';

/** A store with room for so many bytes in all. */
export class QuotaStore extends WrappedStore {
  maxBytes: number;

  constructor(store: ObjectStore, maxBytes: number) {
    super(store);
    this.maxBytes = maxBytes;
  }

  override async create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    if ((await this.usedBytes()) + bytes.length > this.maxBytes)
      throw new EngineError('store-full', `${name}: the quota of the bucket is used up.`);
    return this.store.create(name, bytes, options);
  }

  private async usedBytes(): Promise<number> {
    let used = 0;
    for await (const { sizeBytes } of this.store.list('')) used += sizeBytes;
    return used;
  }
}
