import { EngineError } from '../model/engine-error.ts';
import type { StoredContent, StoredItem } from '../model/items.ts';
import type { Alert, LostItem } from '../model/outcome.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { Scan, Source, SourceContent, SourceEvent } from '../source/source.ts';

interface ItemWithBytes {
  item: StoredItem;
  bytes: ReadonlyMap<string, Buffer>;
}

/**
 * What a reader of events stores of one object, by the letter of the contract: contents opened as they come, scans that remove the items
 * that they do not list, cursors and losses. A reading may be broken off after any event; what was stored up to the last cursor counts.
 */
export class Replica {
  readonly source: Source;
  readonly object: ProtectedObject;
  /** The job that reads; its options are the source's. */
  job = 'job';
  items = new Map<string, ItemWithBytes>();
  cursors = new Map<string, string>();
  lost = new Map<string, LostItem>();
  readonly events: SourceEvent[] = [];
  private readonly ofContents: Alert[] = [];
  private scans = new Map<string, { scan: Scan; seen: Set<string> | null }>();

  constructor(source: Source, object: ProtectedObject) {
    this.source = source;
    this.object = object;
  }

  /** Parts of the object that the last reading did not read to their end. */
  get failures(): string[] {
    return this.events.flatMap((event) => (event.type === 'failure' ? [event.message] : []));
  }

  /** Reads to the end, or until so many events were stored. @returns whether it came to the end */
  async read(eventsMax = Number.POSITIVE_INFINITY): Promise<boolean> {
    this.scans.clear();
    this.events.length = 0;
    this.ofContents.length = 0;
    const stop = new AbortController();
    const events = this.source.read({
      object: this.object,
      job: this.job,
      cursors: new Map(this.cursors),
      lost: [...this.lost.values()],
      current: async (ids) => new Map(ids.flatMap((id) => this.entry(id))),
      signal: stop.signal,
    });
    for await (const event of events) {
      if (this.events.length >= eventsMax) {
        stop.abort(new EngineError('stopped', 'The test has read enough.'));
        return false;
      }
      this.events.push(event);
      await this.apply(event);
    }
    return true;
  }

  /** All that is stored, as something to compare. */
  state(): Record<string, unknown> {
    const entries = [...this.items].map(([id, { item, bytes }]): [string, unknown] => [
      id,
      { ...item, contents: [...bytes].map(([name, content]) => [name, content.toString('latin1')]).sort() },
    ]);
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  bytesOf(id: string, name: string): Buffer | undefined {
    return this.items.get(id)?.bytes.get(name);
  }

  /** What a person should know of the last reading. */
  get alerts(): Alert[] {
    return [...this.ofContents, ...this.events.flatMap((event) => (event.type === 'alert' ? [event.alert] : []))];
  }

  private entry(id: string): [string, StoredItem][] {
    const stored = this.items.get(id);
    return stored === undefined ? [] : [[id, stored.item]];
  }

  private async apply(event: SourceEvent): Promise<void> {
    if (event.type === 'item') await this.takeItem(event);
    else if (event.type === 'removed') this.remove(event.id, event.fromParentId);
    else if (event.type === 'lost') this.applyLost(event.item);
    else if (event.type === 'cursor') this.applyCursor(event.scope, event.value);
    else if (event.type === 'scan-begin')
      this.scans.set(event.scan.scope, { scan: event.scan, seen: event.resumed ? null : new Set(event.scan.except) });
    else if (event.type === 'scan-end') this.endScan(event.scan);
  }

  private async takeItem({ item, contents }: Extract<SourceEvent, { type: 'item' }>): Promise<void> {
    this.saw(item.id);
    try {
      const bytes = new Map<string, Buffer>();
      for (const content of contents) bytes.set(content.name, await this.bytesOfContent(item.id, content));
      const stored = contents.map(({ name }): StoredContent => {
        return { name, sizeBytes: bytes.get(name)?.length ?? 0, segments: [] };
      });
      this.items.set(item.id, { item: { ...item, contents: stored }, bytes });
      this.lost.delete(item.id);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const { id, kind, name, parentId } = item;
      if (error.code !== 'not-found') this.applyLost({ id, kind, name, parentId, reason: error.message });
    }
  }

  private async bytesOfContent(id: string, content: SourceContent): Promise<Buffer> {
    if ('bytes' in content) return content.bytes;
    if ('keep' in content) {
      const bytes = this.bytesOf(id, content.name);
      if (bytes === undefined) throw new Error(`The content ${content.name} of ${id} is unchanged and was never read.`);
      return bytes;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of content.open(new AbortController().signal)) chunks.push(chunk);
    this.ofContents.push(...(content.alerts?.() ?? []));
    return Buffer.concat(chunks);
  }

  private applyLost(item: LostItem): void {
    this.saw(item.id);
    this.lost.set(item.id, item);
  }

  private applyCursor(scope: string, value: string | null): void {
    if (value === null) this.cursors.delete(scope);
    else this.cursors.set(scope, value);
  }

  private saw(id: string): void {
    for (const { seen } of this.scans.values()) seen?.add(id);
  }

  private endScan({ scope }: Scan): void {
    const ended = this.scans.get(scope);
    this.scans.delete(scope);
    if (ended?.seen == null) return;
    const { scan, seen } = ended;
    for (const [id, { item }] of this.items) {
      const isCovered =
        scan.kinds.includes(item.kind) && (scan.parentId === undefined || item.parentId === scan.parentId);
      if (isCovered && !seen.has(id)) this.remove(id, item.parentId ?? undefined);
    }
  }

  private remove(id: string, fromParentId?: string): void {
    this.lost.delete(id);
    const stored = this.items.get(id);
    if (stored === undefined || (fromParentId !== undefined && stored.item.parentId !== fromParentId)) return;
    this.items.delete(id);
  }
}
