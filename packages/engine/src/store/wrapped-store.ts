import type { CreateOptions, ObjectFacts, ObjectStore, OnForeign } from './object-store.ts';

/** A store before another one, which answers whatever a class that extends it does not answer in its own way. It has no locks and no clock of its own. */
export class WrappedStore implements ObjectStore {
  readonly description: string;
  protected readonly store: ObjectStore;

  constructor(store: ObjectStore) {
    this.store = store;
    this.description = store.description;
  }

  create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    return this.store.create(name, bytes, options);
  }

  read(name: string): Promise<Buffer> {
    return this.store.read(name);
  }

  readRange(name: string, start: number, length: number): Promise<Buffer> {
    return this.store.readRange(name, start, length);
  }

  list(prefix: string, onForeign?: OnForeign): AsyncIterable<ObjectFacts> {
    return this.store.list(prefix, onForeign);
  }

  delete(name: string): Promise<void> {
    return this.store.delete(name);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
