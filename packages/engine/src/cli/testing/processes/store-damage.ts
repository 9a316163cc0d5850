import type { ObjectStore } from '../../../store/object-store.ts';
import type { Random } from '../../../testing/random.ts';

export type Harm = 'flipped' | 'lost';

/** A repository at a time, and what was wrong with it then. */
interface Copy {
  objects: ReadonlyMap<string, Buffer>;
  damaged: ReadonlyMap<string, Buffer>;
}

/** What disks and people do to the objects of a repository behind the program's back. */
export class StoreDamage {
  /** Packs and journals that are not as they were written, with the bytes that they had. */
  readonly damaged = new Map<string, Buffer>();
  private readonly store: ObjectStore;
  private readonly random: Random;

  constructor(store: ObjectStore, random: Random) {
    this.store = store;
    this.random = random;
  }

  /** @returns the name of an object below the prefix that was harmed; `null` where there is none that is whole */
  async harm(prefix: 'packs/' | 'journals/', harm: Harm): Promise<string | null> {
    const names = (await this.names(prefix)).filter((name) => !this.damaged.has(name));
    if (names.length === 0) return null;
    const name = this.random.pick(names);
    const bytes = await this.store.read(name);
    this.damaged.set(name, bytes);
    await this.store.delete(name);
    if (harm === 'flipped') await this.store.create(name, this.flipped(bytes));
    return name;
  }

  /** Brings an object back from a copy that was made before. */
  async heal(name: string): Promise<void> {
    const bytes = this.damaged.get(name);
    if (bytes === undefined) return;
    await this.store.delete(name);
    await this.store.create(name, bytes);
    this.damaged.delete(name);
  }

  /** Harmed objects that are not there at all. */
  async lost(): Promise<ReadonlySet<string>> {
    const present = new Set(await this.names(''));
    return new Set([...this.damaged.keys()].filter((name) => !present.has(name)));
  }

  async copy(): Promise<Copy> {
    const objects = new Map<string, Buffer>();
    for (const name of await this.names('')) objects.set(name, await this.store.read(name));
    return { objects, damaged: new Map(this.damaged) };
  }

  /** Puts an earlier copy in the place of the repository. */
  async replace({ objects, damaged }: Copy): Promise<void> {
    for (const name of await this.names('')) await this.store.delete(name);
    for (const [name, bytes] of objects) await this.store.create(name, bytes);
    this.damaged.clear();
    for (const [name, bytes] of damaged) this.damaged.set(name, bytes);
  }

  private async names(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of this.store.list(prefix)) names.push(name);
    return names;
  }

  private flipped(bytes: Buffer): Buffer {
    const flipped = Buffer.from(bytes);
    const at = this.random.below(flipped.length);
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << this.random.below(8)), at);
    return flipped;
  }
}
