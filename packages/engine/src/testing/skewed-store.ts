import type { ObjectStore } from '../store/object-store.ts';
import { AgingStore } from './aging-store.ts';

/** A store whose clock is ahead of this machine's, or behind it. */
export class SkewedStore extends AgingStore {
  constructor(store: ObjectStore, aheadMs: number) {
    super(store);
    const { list } = this;
    this.list = async function* (prefix) {
      for await (const facts of list(prefix))
        yield { ...facts, createdAt: new Date(facts.createdAt.getTime() + aheadMs) };
    };
  }
}
