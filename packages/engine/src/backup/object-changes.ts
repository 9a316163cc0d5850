import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { StoredItem } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { ObjectChange, ObjectSection } from '../repository/commit.ts';

const LOOKUPS_MAX = 1_000;

/** What is known to be current of an item: that of the catalog, or what this run changed since. */
export type Current = StoredItem | null;

/** The changes of one object that wait for a commit, and how the object looks with them. */
export class ObjectChanges {
  readonly object: ProtectedObject;
  readonly key: string;
  revision: number;
  private readonly catalog: RepositoryCatalog;
  private waiting: ObjectChange[] = [];
  /** Changed in this run; the generation tells from which commit on the catalog knows. */
  private readonly overlay = new Map<string, { item: Current; generation: number }>();
  private generation = 0;
  private looking = 0;
  private asked: { id: string; answer: (item: Current) => void; fail: (error: unknown) => void }[] = [];

  constructor(object: ProtectedObject, key: string, revision: number, catalog: RepositoryCatalog) {
    this.object = object;
    this.key = key;
    this.revision = revision;
    this.catalog = catalog;
  }

  get count(): number {
    return this.waiting.length;
  }

  /** The item as it is now; lookups of one moment are one question to the catalog. */
  current(id: string): Promise<Current> {
    const changed = this.overlay.get(id);
    if (changed !== undefined) return Promise.resolve(changed.item);
    return new Promise((answer, fail) => {
      this.asked.push({ id, answer, fail });
      if (this.asked.length === 1) setImmediate(() => void this.look());
    });
  }

  add(change: ObjectChange): void {
    this.waiting.push(change);
    const { generation } = this;
    if (change.type === 'put') this.overlay.set(change.item.id, { item: change.item, generation });
    if (change.type === 'remove') this.overlay.set(change.item, { item: null, generation });
  }

  /** What waits, as the next revision; `null` when nothing does and the object is known already. A new object is told even if it is empty. */
  take(at: Date): ObjectSection | null {
    if (this.waiting.length === 0 && this.revision > 0) return null;
    const changes = this.waiting;
    this.waiting = [];
    this.generation += 1;
    this.revision += 1;
    return { ...this.object, key: this.key, revision: this.revision, at, changes };
  }

  /** The catalog now knows what was taken before: it need not be remembered here. */
  applied(): void {
    // An answer that is under way may be older than the commit: until it is here, what it does not know is kept.
    if (this.looking > 0) return;
    for (const [id, { generation }] of this.overlay) if (generation < this.generation) this.overlay.delete(id);
  }

  private async look(): Promise<void> {
    const asked = this.asked;
    this.asked = [];
    this.looking += 1;
    try {
      const ids = [...new Set(asked.map(({ id }) => id))];
      const found = new Map<string, StoredItem>();
      for (let at = 0; at < ids.length; at += LOOKUPS_MAX) {
        for (const [id, item] of await this.catalog.current(this.key, ids.slice(at, at + LOOKUPS_MAX)))
          found.set(id, item);
      }
      // What changed while the catalog was asked is newer than its answer.
      for (const { id, answer } of asked)
        answer(this.overlay.has(id) ? (this.overlay.get(id)?.item ?? null) : (found.get(id) ?? null));
    } catch (error) {
      for (const { fail } of asked) fail(error);
    } finally {
      this.looking -= 1;
    }
  }
}
