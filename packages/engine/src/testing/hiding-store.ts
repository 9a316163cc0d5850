import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';
import { WrappedStore } from '../store/wrapped-store.ts';

/** A store whose lists leave out what has a text in its name; what is asked for by name is there. */
export class HidingStore extends WrappedStore {
  private readonly text: string;
  private isHiding = true;

  constructor(store: ObjectStore, text: string) {
    super(store);
    this.text = text;
  }

  /** From now on lists are whole. */
  show(): void {
    this.isHiding = false;
  }

  override async *list(prefix: string): AsyncGenerator<ObjectFacts> {
    for await (const facts of this.store.list(prefix))
      if (!this.isHiding || !facts.name.includes(this.text)) yield facts;
  }
}
