import type { ProtectedObject } from '../../../model/protected-object.ts';
import { objectOf, textOf } from '../../../source/graph/json.ts';
import type { Source } from '../../../source/source.ts';
import { Replica } from '../../../testing/replica.ts';
import type { State } from '../../../testing/restored-state.ts';
import { contentDigest } from './content-digest.ts';

/** What an object has at a time: all of each item as text, and what a person could count in it. */
export interface TrueState {
  items: State;
  /** Files by path, messages by folder and message id, in order; one that is there twice is listed twice. */
  things: readonly string[];
}

/** What is in an object of a tenant, read by nothing that is stored in a repository. */
export class TrueObject {
  readonly object: ProtectedObject;
  private readonly replica: Replica;
  private readonly digests = new WeakMap<Buffer, string>();
  /** Every text that an item ever had. */
  readonly history = new Map<string, Set<string>>();
  /** Every thing there ever was, as often as it ever was there at once. */
  everThings: readonly string[] = [];

  constructor(source: Source, object: ProtectedObject) {
    this.object = object;
    this.replica = new Replica(source, object);
  }

  async read(): Promise<TrueState> {
    if (!(await this.replica.read()) || this.replica.failures.length > 0)
      throw new Error(`${this.object.name} could not be read: ${this.replica.failures.join(' ')}`);
    const items = new Map([...this.replica.items].map(([id, { item, bytes }]) => [id, this.textOf(item, bytes)]));
    for (const [id, text] of items) this.history.set(id, (this.history.get(id) ?? new Set()).add(text));
    const things = this.things();
    this.everThings = [...this.everThings, ...without(things, this.everThings)];
    return { items, things };
  }

  /** Of a folder at the top, and what is below it. */
  async thingsWithin(folder: string): Promise<string[]> {
    const { things } = await this.read();
    return things.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  }

  private textOf({ kind, name, parentId }: Named, bytes: ReadonlyMap<string, Buffer>): string {
    const digests = [...bytes].map(([content, part]) => [content, this.digestOf(content, part)]);
    return JSON.stringify([kind, name, parentId, digests]);
  }

  private digestOf(content: string, bytes: Buffer): string {
    const digest = this.digests.get(bytes) ?? contentDigest(content, bytes);
    this.digests.set(bytes, digest);
    return digest;
  }

  private things(): string[] {
    const found: string[] = [];
    for (const { item, bytes } of this.replica.items.values()) {
      const [file, properties] = [bytes.get('file'), bytes.get('properties')];
      if (file !== undefined) found.push(`${this.pathOf(item)} ${this.digestOf('file', file)}`);
      else if (item.kind === 'message' && properties !== undefined)
        found.push(`${this.pathOf({ ...item, name: messageId(properties) })}`);
    }
    return found.sort();
  }

  private pathOf({ name, parentId }: Omit<Named, 'kind'>): string {
    const parent = parentId === null ? undefined : this.replica.items.get(parentId);
    return parent === undefined ? name : `${this.pathOf(parent.item)}/${name}`;
  }
}

interface Named {
  kind: string;
  name: string;
  parentId: string | null;
}

function messageId(properties: Buffer): string {
  return textOf(objectOf(JSON.parse(properties.toString('utf8')))['internetMessageId']) ?? 'without an id';
}

/** What is in the first list more often than in the second. */
export function without(one: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const thing of other) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return one.filter((thing) => {
    const left = counts.get(thing) ?? 0;
    counts.set(thing, left - 1);
    return left <= 0;
  });
}
