import type { CreateOptions, ObjectFacts, ObjectStore } from '../store/object-store.ts';
import { WrappedStore } from '../store/wrapped-store.ts';
import type { Random } from './random.ts';

export type Oddity = 'loses' | 'repeats' | 'delays' | 'disorders';

/** Entries of a page whose order is lost. */
const PAGE = 8;
/** Lists in which a new object is not named yet. */
const DELAY = 2;

/** A store whose lists are not what they should be, one entry in four; what is asked for by name is always there. */
export class OddListStore extends WrappedStore {
  private readonly oddities: ReadonlySet<Oddity>;
  private readonly random: Random;
  /** In how many lists an object is still not named. */
  private readonly delayed = new Map<string, number>();

  constructor(store: ObjectStore, oddities: readonly Oddity[], random: Random) {
    super(store);
    this.oddities = new Set(oddities);
    this.random = random;
  }

  override async *list(prefix: string): AsyncGenerator<ObjectFacts> {
    let page: ObjectFacts[] = [];
    for await (const facts of this.store.list(prefix)) {
      if (this.isDelayed(facts.name) || this.is('loses')) continue;
      page.push(facts);
      if (this.is('repeats')) page.push(facts);
      if (page.length < PAGE) continue;
      yield* this.inSomeOrder(page);
      page = [];
    }
    yield* this.inSomeOrder(page);
  }

  override async create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    const isNew = await this.store.create(name, bytes, options);
    if (isNew && this.oddities.has('delays')) this.delayed.set(name, DELAY);
    return isNew;
  }

  private is(oddity: Oddity): boolean {
    return this.oddities.has(oddity) && this.random.below(4) === 0;
  }

  private isDelayed(name: string): boolean {
    const left = this.delayed.get(name) ?? 0;
    if (left > 0) this.delayed.set(name, left - 1);
    return left > 0;
  }

  private inSomeOrder(page: readonly ObjectFacts[]): ObjectFacts[] {
    if (!this.oddities.has('disorders')) return [...page];
    return page
      .map((facts) => ({ facts, at: this.random.below(1_000) }))
      .sort((one, other) => one.at - other.at)
      .map(({ facts }) => facts);
  }
}
