import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';

/** A store that reports a greater age of objects than they have: as if time had passed since a process ended. */
export class AgingStore implements ObjectStore {
  readonly description: string;
  private readonly store: ObjectStore;
  private readonly old = new Map<string, number>();

  constructor(store: ObjectStore) {
    this.store = store;
    this.description = store.description;
  }

  /** All locks that are there now are older, by an hour unless it is said otherwise. */
  async ageLocks(byMs = 3_600_000): Promise<void> {
    for await (const { name } of this.store.list('locks/')) this.old.set(name, byMs);
  }

  list: ObjectStore['list'] = (prefix) => this.aged(prefix);

  private async *aged(prefix: string): AsyncGenerator<ObjectFacts> {
    for await (const facts of this.store.list(prefix)) {
      const createdAt = new Date(facts.createdAt.getTime() - (this.old.get(facts.name) ?? 0));
      yield { ...facts, createdAt };
    }
  }

  create: ObjectStore['create'] = (name, bytes, options) => this.store.create(name, bytes, options);
  read: ObjectStore['read'] = (name) => this.store.read(name);
  readRange: ObjectStore['readRange'] = (name, start, length) => this.store.readRange(name, start, length);
  delete: ObjectStore['delete'] = (name) => this.store.delete(name);
  close: ObjectStore['close'] = () => this.store.close();
}
