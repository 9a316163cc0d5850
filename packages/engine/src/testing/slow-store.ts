import { setTimeout as pause } from 'node:timers/promises';
import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';

/** A store that takes its time to read and to list, as one far away does; how much can be changed meanwhile. */
export class SlowStore implements ObjectStore {
  readonly description: string;
  readMs = 0;
  /** Called with the name of an object before it is read, and with the prefix of a list. */
  onRead: (name: string) => void = () => undefined;
  private readonly store: ObjectStore;

  constructor(store: ObjectStore) {
    this.store = store;
    this.description = store.description;
  }

  async read(name: string): Promise<Buffer> {
    await this.wait(name);
    return this.store.read(name);
  }

  async readRange(name: string, start: number, length: number): Promise<Buffer> {
    await this.wait(name);
    return this.store.readRange(name, start, length);
  }

  async *list(prefix: string): AsyncGenerator<ObjectFacts> {
    // Locks are written and looked at by every piece of work; a store is not slow there alone.
    if (!prefix.startsWith('locks/')) await this.wait(prefix);
    yield* this.store.list(prefix);
  }

  create: ObjectStore['create'] = (name, bytes, options) => this.store.create(name, bytes, options);
  delete: ObjectStore['delete'] = (name) => this.store.delete(name);
  close: ObjectStore['close'] = () => this.store.close();

  private async wait(name: string): Promise<void> {
    if (name.startsWith('locks/') || this.readMs === 0) return;
    this.onRead(name);
    await pause(this.readMs);
  }
}
