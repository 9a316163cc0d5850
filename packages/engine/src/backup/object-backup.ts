import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError, type EngineErrorCode } from '../model/engine-error.ts';
import { inOrder } from '../model/in-order.ts';
import type { LostItem } from '../model/outcome.ts';
import type { ObjectChange } from '../repository/commit.ts';
import type { Run } from '../repository/repository.ts';
import type { Source, SourceEvent } from '../source/source.ts';
import type { BackupReport } from './backup-report.ts';
import type { Committer } from './committer.ts';
import type { ObjectChanges } from './object-changes.ts';
import { isSame, readItem, UnreadableItem } from './read-item.ts';
import { ScanRecord } from './scan-record.ts';

export interface ObjectBackupParts {
  run: Run;
  catalog: RepositoryCatalog;
  source: Source;
  committer: Committer;
  report: BackupReport;
  signal: AbortSignal;
  /** Called after every event. */
  tell(): void;
}

/** Items of one object whose contents are read side by side. */
const ITEMS_AT_ONCE = 16;

/** Errors that every further item would meet too: the object stops, and goes on from its cursor in the next run. */
const ENDS_THE_OBJECT: ReadonlySet<EngineErrorCode> = new Set<EngineErrorCode>([
  'source-unreachable',
  'consent-missing',
  'source-gone',
  'credentials-refused',
  'certificate-expired',
  'stopped',
]);

/** Reads what changed in one object. What concerns all of it is thrown; what was read before that waits for the next commit. */
export async function backUpObject(parts: ObjectBackupParts, changes: ObjectChanges): Promise<void> {
  const state = await parts.catalog.object(changes.key);
  const { source, signal, committer } = parts;
  const events = source.read({
    object: changes.object,
    cursors: state?.cursors ?? new Map(),
    lost: state?.lost ?? [],
    current: (ids) => currentItems(changes, ids),
    signal,
  });
  const work = new ObjectWork(parts, changes, new Set(state?.lost.map(({ id }) => id)));
  for await (const found of inOrder(events, ITEMS_AT_ONCE, (event) => work.take(event))) {
    await work.settle(found);
    await committer.commitIfDue();
    parts.tell();
  }
}

async function currentItems(changes: ObjectChanges, ids: readonly string[]) {
  const items = await Promise.all(ids.map((id) => changes.current(id)));
  return new Map(items.flatMap((item) => (item === null ? [] : [[item.id, item] as const])));
}

/** What an event comes to, once its contents are read: changes, or work that needs what was settled before it. */
type Settled = ObjectChange[] | (() => Promise<void>);

class ObjectWork {
  private readonly parts: ObjectBackupParts;
  private readonly changes: ObjectChanges;
  private readonly lostBefore: Set<string>;
  private readonly scans: ScanRecord;

  constructor(parts: ObjectBackupParts, changes: ObjectChanges, lostBefore: Set<string>) {
    this.parts = parts;
    this.changes = changes;
    this.lostBefore = lostBefore;
    this.scans = new ScanRecord(parts.catalog, changes.key);
  }

  /** The part that may run side by side. */
  async take(event: SourceEvent): Promise<Settled> {
    this.parts.signal.throwIfAborted();
    if (event.type === 'item') return this.takeItem(event);
    if (event.type === 'cursor') return [event];
    return () => this.settleLater(event);
  }

  /** The part that runs in the order of the events. */
  async settle(settled: Settled): Promise<void> {
    if (typeof settled === 'function') await settled();
    else for (const change of settled) this.changes.add(change);
  }

  private async takeItem(event: Extract<SourceEvent, { type: 'item' }>): Promise<Settled> {
    const { run, signal, report } = this.parts;
    const { id } = event.item;
    try {
      const stored = await readItem(event, await this.changes.current(id), run, signal);
      return async () => {
        this.scans.saw(id);
        report.counts.itemsRead += 1;
        report.counts.bytesRead += stored.contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        if (!isSame(stored, await this.changes.current(id))) this.changes.add({ type: 'put', item: stored });
        if (this.lostBefore.delete(id)) this.changes.add({ type: 'found', item: id });
      };
    } catch (error) {
      if (!(error instanceof UnreadableItem) || ENDS_THE_OBJECT.has(error.cause.code)) throw causeOf(error);
      // Deleted between the list and the read: the next list will say so. It is not lost, since it is no more.
      if (error.cause.code === 'not-found') return [];
      const { kind, name, parentId } = event.item;
      return async () => this.settleLost({ id, kind, name, parentId, reason: error.message });
    }
  }

  private async settleLater(event: Exclude<SourceEvent, { type: 'item' | 'cursor' }>): Promise<void> {
    const { report } = this.parts;
    const { name: objectName } = this.changes.object;
    if (event.type === 'scan-begin') this.scans.begin(event.scan, !event.resumed);
    else if (event.type === 'scan-end') await this.removeUntold(event.scan);
    else if (event.type === 'removed') await this.remove(event.id, event.fromParentId);
    else if (event.type === 'lost') this.settleLost(event.item);
    else if (event.type === 'skipped') report.skipped(objectName, event.id, event.name, event.cause);
    else report.alert(event.alert.code, event.alert.message);
  }

  private settleLost(item: LostItem): void {
    this.scans.saw(item.id);
    this.parts.report.lost(this.changes.object.name, item);
    this.changes.add({ type: 'lost', item });
  }

  private async removeUntold(scan: Extract<SourceEvent, { type: 'scan-end' }>['scan']): Promise<void> {
    for await (const { id, parentId } of this.scans.end(scan)) await this.remove(id, parentId ?? undefined);
  }

  private async remove(id: string, fromParentId?: string): Promise<void> {
    if (this.lostBefore.delete(id)) this.changes.add({ type: 'found', item: id });
    const current = await this.changes.current(id);
    if (current === null || (fromParentId !== undefined && current.parentId !== fromParentId)) return;
    this.parts.report.counts.itemsRemoved += 1;
    this.changes.add({ type: 'remove', item: id });
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof UnreadableItem ? error.cause : error;
}

/** For a person: what stopped an object. */
export function reasonOf(error: unknown): string {
  if (error instanceof EngineError) return error.message;
  return `Unexpected: ${error instanceof Error ? error.message : String(error)}`;
}
