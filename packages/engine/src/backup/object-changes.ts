import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { GatheredQuestions } from '../model/gathered-questions.ts';
import type { Item, ItemKind, StoredItem } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { ObjectChange, ObjectSection } from '../repository/commit.ts';
import { ChangedIds } from './changed-ids.ts';
import { roughBytes } from './rough-bytes.ts';

const LOOKUPS_MAX = 1_000;

/** What is known to be current of an item: that of the catalog, or what this run changed since. */
export type Current = StoredItem | null;

type KnownItems = Pick<RepositoryCatalog, 'current' | 'currentIds'>;

/** The changes of one object that wait for a commit, and how the object looks with them. */
export class ObjectChanges {
  readonly object: ProtectedObject;
  readonly key: string;
  revision: number;
  /** Whether there is something of it: nothing of a new object, and of one that was erased and whose revisions go on counting. */
  isKnown: boolean;
  private readonly catalog: KnownItems;
  private waiting: ObjectChange[] = [];
  /** Of each of them, as text. */
  private sizes: number[] = [];
  private waitingBytes = 0;
  /** Changed in this run; the generation says from which commit on the catalog knows. */
  private readonly overlay = new Map<string, { item: Current; generation: number }>();
  /** Of an object that was not known before this run: nothing else of it can be current, and the catalog need not be asked. */
  private readonly changed: ChangedIds | null;
  private generation = 0;
  /** All older changes are in the catalog: an answer that is asked for from now on has them. */
  private applied = 0;
  private forgotten = 0;
  /** What is older is not remembered any more. */
  private forgottenBefore = 0;
  private readonly questions: GatheredQuestions<Current>;

  constructor(object: ProtectedObject, key: string, revision: number, catalog: KnownItems, isKnown = revision > 0) {
    this.object = object;
    this.key = key;
    this.revision = revision;
    this.catalog = catalog;
    this.isKnown = isKnown;
    this.changed = isKnown ? null : new ChangedIds();
    this.questions = new GatheredQuestions(
      (ids) => this.look(ids),
      LOOKUPS_MAX,
      () => this.forget(),
    );
  }

  /** Whether there was something of it before this run. */
  get wasKnown(): boolean {
    return this.changed === null;
  }

  get count(): number {
    return this.waiting.length;
  }

  /** About how many bytes of text what waits is. */
  get bytes(): number {
    return this.waitingBytes;
  }

  /** Changes when something is remembered no longer: what was current before may not be, although nothing here says so. */
  get moment(): number {
    return this.forgotten;
  }

  /** Returns the item as it is now. What is asked for while the catalog is answering waits for the next query, and is part of it. */
  async current(id: string): Promise<Current> {
    const changed = this.overlay.get(id);
    if (changed !== undefined) return changed.item;
    if (this.changed?.mayHave(id) === false) return null;
    return (await this.questions.ask(id)) ?? null;
  }

  /** The same for who knows how the item was at a moment: as a rule the catalog is not asked a second time. */
  async currentSince(moment: number, id: string, item: Current): Promise<Current> {
    const changed = this.overlay.get(id);
    if (changed !== undefined) return changed.item;
    return moment === this.moment ? item : this.current(id);
  }

  /** What the catalog has as current, of some kinds, in one container or in all. Before the first commit is applied it has nothing, and is not asked. */
  async *currentIds(
    kinds: readonly ItemKind[],
    parentId?: string | null,
  ): AsyncGenerator<Pick<Item, 'id' | 'parentId'>> {
    if (this.wasKnown || this.applied > 0) yield* this.catalog.currentIds(this.key, kinds, parentId);
  }

  add(change: ObjectChange): void {
    const bytes = roughBytes(change);
    this.waiting.push(change);
    this.sizes.push(bytes);
    this.waitingBytes += bytes;
    if (change.type === 'put') this.changed?.add(change.item.id);
    this.remember(change);
  }

  private remember(change: ObjectChange): void {
    const { generation } = this;
    if (change.type === 'put') this.overlay.set(change.item.id, { item: change.item, generation });
    if (change.type === 'remove') this.overlay.set(change.item, { item: null, generation });
  }

  /**
   * Returns what waits, as the next revision; `null` when nothing does and the object is known already. A new object has one even if it
   * is empty.
   * @param bytesMax what exceeds it stays for the next one; one change is always included
   */
  nextSection(at: Date, bytesMax = Number.POSITIVE_INFINITY): ObjectSection | null {
    if (this.waiting.length === 0 && this.isKnown) return null;
    this.isKnown = true;
    const changes = this.takeUpTo(bytesMax);
    this.generation += 1;
    // They come with a later commit, and are known only then.
    for (const change of this.waiting) this.remember(change);
    this.revision += 1;
    return { ...this.object, key: this.key, revision: this.revision, at, changes };
  }

  private takeUpTo(bytesMax: number): ObjectChange[] {
    let [count, bytes] = [0, 0];
    for (const size of this.sizes) {
      if (count > 0 && bytes + size > bytesMax) break;
      count += 1;
      bytes += size;
    }
    const changes = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    this.sizes = this.sizes.slice(count);
    this.waitingBytes -= bytes;
    return changes;
  }

  /** The catalog now has the sections returned before: their changes need not be remembered here. */
  wereApplied(): void {
    this.applied = this.generation;
    // An answer that is under way may be older than the commit: until it arrives, changes that it lacks stay remembered.
    if (!this.questions.isAsking) this.forget();
  }

  private forget(): void {
    if (this.applied === this.forgottenBefore) return;
    this.forgottenBefore = this.applied;
    const before = this.overlay.size;
    for (const [id, { generation }] of this.overlay) if (generation < this.applied) this.overlay.delete(id);
    if (this.overlay.size < before) this.forgotten += 1;
  }

  private async look(ids: readonly string[]): Promise<ReadonlyMap<string, Current>> {
    const found = await this.catalog.current(this.key, ids);
    // What changed while the catalog was asked is newer than its answer.
    const newest = (id: string): Current => this.overlay.get(id)?.item ?? null;
    return new Map(ids.map((id) => [id, this.overlay.has(id) ? newest(id) : (found.get(id) ?? null)]));
  }
}
