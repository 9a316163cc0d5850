import { EngineError } from '../model/engine-error.ts';
import type { ContentName, Item, ItemKind } from '../model/items.ts';
import type { LostItem } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { ListingNote, ReadRequest, Selection, Source, SourceContent, SourceEvent } from '../source/source.ts';

/** What a test wrote of an item; with a fault, how reading it fails. */
export interface WrittenItem {
  kind: ItemKind;
  name: string;
  parentId: string | null;
  contents: Readonly<Record<string, Buffer>>;
  fault?: 'unreadable' | 'vanished' | 'broken';
}

/** Selects everything: a written source has no other way. */
export const EVERYTHING: Selection = {
  scope: 'everything',
  kinds: ['mailbox', 'drive'],
  include: [],
  exclude: [],
  personalSites: false,
};

const SCOPE = 'all';
const KINDS: ItemKind[] = ['mail-folder', 'message', 'folder', 'file'];

/** A mailbox or drive in memory that remembers what changed, as a delta query does. */
export class WrittenObject {
  readonly object: ProtectedObject;
  readonly items = new Map<string, WrittenItem>();
  /** Ids in the order in which something happened to them. */
  readonly log: string[] = [];
  /** Reported once instead of the items; functions are called when their turn comes. */
  script: (SourceEvent | (() => void | Promise<void>))[] | null = null;
  /** The next reading begins with a scan, as after an expired token. */
  isForgetful = false;

  constructor(id: string, kind: ProtectedObject['kind'] = 'mailbox') {
    this.object = { organizationId: 'contoso', kind, id, name: `Object ${id}`, owner: null, address: null };
  }

  put(id: string, item: WrittenItem): void {
    this.items.set(id, item);
    this.log.push(id);
  }

  /** Takes an item away with all that is in it. */
  remove(id: string): void {
    for (const [child, { parentId }] of this.items) if (parentId === id) this.remove(child);
    this.items.delete(id);
    this.log.push(id);
  }

  async *read({ cursors, lost, signal }: ReadRequest): AsyncGenerator<SourceEvent> {
    if (this.script !== null) {
      yield* this.scripted(this.script);
      return;
    }
    const cursor = cursors.get(SCOPE);
    yield* cursor === undefined || this.isForgetful ? this.scan() : this.changesSince(Number(cursor));
    this.isForgetful = false;
    signal.throwIfAborted();
    for (const { id } of lost) yield this.eventOf(id);
    yield { type: 'cursor', scope: SCOPE, value: String(this.log.length) };
  }

  private async *scripted(script: NonNullable<WrittenObject['script']>): AsyncGenerator<SourceEvent> {
    this.script = null;
    for (const step of script) {
      if (typeof step === 'function') await step();
      else yield step;
    }
  }

  private *scan(): Generator<SourceEvent> {
    const scan = { scope: SCOPE, kinds: KINDS };
    yield { type: 'scan-begin', scan, resumed: false };
    yield* this.below(null);
    yield { type: 'scan-end', scan };
  }

  private *below(parent: string | null): Generator<SourceEvent> {
    for (const [id, { parentId }] of this.items) {
      if (parentId !== parent) continue;
      yield this.eventOf(id);
      yield* this.below(id);
    }
  }

  private *changesSince(at: number): Generator<SourceEvent> {
    for (const id of new Set(this.log.slice(at))) yield this.eventOf(id);
  }

  private eventOf(id: string): SourceEvent {
    const written = this.items.get(id);
    if (written === undefined) return { type: 'removed', id };
    if (written.fault === 'unreadable') return { type: 'lost', item: lostItem(id, written) };
    return { type: 'item', item: itemOf(id, written), contents: contentsOf(written) };
  }
}

/** A source whose objects a test writes. */
export class WrittenSource implements Source {
  readonly organizationId = 'contoso';
  readonly objects: WrittenObject[];

  constructor(...objects: WrittenObject[]) {
    this.objects = objects;
  }

  async *listObjects(): AsyncGenerator<ProtectedObject | ListingNote> {
    for (const { object } of this.objects) yield object;
  }

  read(request: ReadRequest): AsyncIterable<SourceEvent> {
    const found = this.objects.find(({ object }) => object.id === request.object.id);
    if (found === undefined) throw new EngineError('source-gone', `There is no object ${request.object.id}.`);
    return found.read(request);
  }

  async close(): Promise<void> {}
}

export function itemOf(id: string, { kind, name, parentId, contents }: WrittenItem): Item {
  const sizeBytes = Object.values(contents).reduce((sum, bytes) => sum + bytes.length, 0);
  return { id, kind, parentId, name, sizeBytes, modifiedAt: new Date('2026-01-01T00:00:00Z'), details: {} };
}

export function lostItem(id: string, { kind, name, parentId }: WrittenItem): LostItem {
  return { id, kind, name, parentId, reason: `${name} cannot be read.` };
}

function contentsOf({ contents, fault, name }: WrittenItem): SourceContent[] {
  return Object.entries(contents).map(([content, bytes]) => ({
    // Tests write names that are some.
    name: content as ContentName,
    sizeBytes: bytes.length,
    async *open() {
      if (fault === 'vanished') throw new EngineError('not-found', `${name} is gone.`);
      yield* inPieces(bytes);
      if (fault === 'broken') throw new EngineError('source-refused', `${name} broke off.`);
    },
  }));
}

/** Bytes as a network gives them: in pieces of odd sizes, an empty one among them. */
export function* inPieces(bytes: Buffer): Generator<Buffer> {
  yield Buffer.alloc(0);
  for (let at = 0, size = 1; at < bytes.length; at += size, size = ((size * 7) % 65_521) + 1)
    yield bytes.subarray(at, at + size);
}
