import type { CatalogObject, ItemChange, Page, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError, endsTheObject } from '../model/engine-error.ts';
import { ITEM_KINDS, type Item, type StoredItem } from '../model/items.ts';
import type { LostItem } from '../model/outcome.ts';
import type { Run } from '../repository/repository.ts';
import type { ReadRequest, Scan, Source, SourceEvent } from '../source/source.ts';
import type { BackupReport } from './backup-report.ts';
import type { Committer } from './committer.ts';
import type { Current, ObjectChanges } from './object-changes.ts';
import {
  type ItemEvent,
  isSame,
  type ReadItem,
  readItem,
  sourceError,
  storedItem,
  UnreadableItem,
} from './read-item.ts';
import { Removals } from './removals.ts';
import { ScanRecord } from './scan-record.ts';
import { type Settle, SettleQueue } from './settle-queue.ts';

export interface ObjectBackupParts {
  run: Run;
  catalog: RepositoryCatalog;
  source: Source;
  /** Id of the job. */
  job: string;
  committer: Committer;
  report: BackupReport;
  signal: AbortSignal;
  /** Whether an aborted run still writes its end, since it was stopped, or leaves none, since another process does it. */
  willEnd(): boolean;
  /** Called after every event. */
  reportProgress(): void;
}

/** Removals above both limits are reported, and retained for longer. */
const SHRUNK_ITEMS = 100;
const SHRUNK_SHARE = 0.2;
const RECALLED_A_PAGE = 1_000;
/** Items of one object whose contents are read side by side. */
const ITEMS_AT_ONCE = 32;
/** Items that were read and wait until it is known where their contents are. */
const ITEMS_WAITING_MAX = 1_000;

/**
 * Reads what changed in one object. What concerns all of it is thrown; what was read before that waits for the next commit.
 * @param reported the revision since which nothing was reported of what went, see `reportedRevision`
 */
export async function backUpObject(
  parts: ObjectBackupParts,
  changes: ObjectChanges,
  state: CatalogObject | null,
  reported: number,
): Promise<void> {
  const work = new ObjectWork(parts, changes, state);
  const since = state === null ? null : { key: state.key, from: reported, to: state.revision };
  if (since !== null) await work.recall(since);
  try {
    await work.readAll(state);
    work.reportStillLost();
    await work.removeBelowGone();
  } finally {
    if (since !== null && (!parts.signal.aborted || parts.willEnd())) await work.reportShrinkage(since);
  }
}

/** From the last revision of an object of which all removals were reported to its present one; mostly the same. */
interface Unreported {
  key: string;
  from: number;
  to: number;
}

async function currentItems(changes: ObjectChanges, ids: readonly string[]) {
  const items = await Promise.all(ids.map((id) => changes.current(id)));
  return new Map(items.flatMap((item) => (item === null ? [] : [[item.id, item] as const])));
}

class ObjectWork {
  private readonly parts: ObjectBackupParts;
  private readonly changes: ObjectChanges;
  /** Items that could not be read, as the next commit leaves them. */
  private readonly lost: Map<string, LostItem>;
  /** A change and the repeated request of an earlier run may report the same item. */
  private readonly reported = new Set<string>();
  private readonly cursors: Map<string, string | null>;
  private readonly scans: ScanRecord;
  private readonly removals = new Removals();
  /** Items that were read and are not settled. */
  private readonly unsettled = new Set<string>();

  constructor(parts: ObjectBackupParts, changes: ObjectChanges, state: CatalogObject | null) {
    this.parts = parts;
    this.changes = changes;
    this.lost = new Map(state?.lost.map((item) => [item.id, item]));
    this.cursors = new Map(state?.cursors);
    this.scans = new ScanRecord(changes);
  }

  /** Takes the source's events as they come. Whatever it throws concerns this object alone; all that came before is settled first. */
  async readAll(state: CatalogObject | null): Promise<void> {
    const { source, signal, run } = this.parts;
    const queue = new SettleQueue(ITEMS_AT_ONCE, ITEMS_WAITING_MAX, () => run.hurry());
    const { request, throwOwn } = this.request(state, queue);
    let failure: { error: unknown } | null = null;
    const events = source.read(request)[Symbol.asyncIterator]();
    try {
      while (failure === null) {
        const next = await events.next().catch((error: unknown) => {
          failure = { error };
        });
        if (!next || next.done === true) break;
        const { value: event } = next;
        if (event.type === 'item') this.unsettled.add(event.item.id);
        await queue.add(() => this.read(event));
      }
      run.hurry();
      await queue.end();
    } finally {
      await queue.idle();
      await events.return?.(undefined);
    }
    throwOwn();
    if (failure !== null) throw sourceError((failure as { error: unknown }).error, signal);
  }

  /** What the source is asked. Its questions about items are the catalog's to answer: `throwOwn` throws what that failed of. */
  private request(state: CatalogObject | null, queue: SettleQueue): { request: ReadRequest; throwOwn(): void } {
    const { cursors = new Map(), lost = [] } = state ?? {};
    // Whole, even what is stored of them: that may be what was lost.
    const lostIds = new Set(lost.map(({ id }) => id));
    let failure: { error: unknown } | null = null;
    const current = async (ids: readonly string[]) => {
      try {
        // What was read before the question is part of the answer.
        if (ids.some((id) => this.unsettled.has(id))) {
          this.parts.run.hurry();
          await queue.end();
        }
        return await currentItems(
          this.changes,
          ids.filter((id) => !lostIds.has(id)),
        );
      } catch (error) {
        failure = { error };
        throw error;
      }
    };
    const throwOwn = () => {
      if (failure !== null) throw failure.error;
    };
    const { signal, job } = this.parts;
    return { request: { object: this.changes.object, job, cursors, lost, current, signal }, throwOwn };
  }

  /** The part that may run side by side. */
  private async read(event: SourceEvent): Promise<Settle> {
    this.parts.signal.throwIfAborted();
    const settle = event.type === 'item' ? await this.readItemOf(event) : () => this.settle(event);
    return async () => {
      await settle();
      if (event.type === 'item') this.unsettled.delete(event.item.id);
      await this.parts.committer.commitIfDue();
      this.parts.reportProgress();
    };
  }

  private async readItemOf(event: ItemEvent): Promise<Settle> {
    const { run, signal } = this.parts;
    const { moment } = this.changes;
    const current = await this.changes.current(event.item.id);
    try {
      return this.settlement(await readItem(event, current, run, signal), current, moment);
    } catch (error) {
      if (!(error instanceof UnreadableItem)) throw error;
      if (endsTheObject(error.cause)) throw error.cause;
      const { id, kind, name, parentId } = event.item;
      if (error.cause.code === 'not-found') return () => this.missed(event.item);
      return () => this.lose({ id, kind, name, parentId, reason: error.message });
    }
  }

  /** Until it is called the bytes of the item are in a batch, and not here. */
  private settlement(read: ReadItem, current: Current, moment: number): Settle {
    return async () => {
      const stored = await storedItem(read, current);
      this.settleItem(read, stored, await this.changes.currentSince(moment, stored.id, current));
    };
  }

  private settleItem({ item, unchanged, alerts }: ReadItem, stored: StoredItem, current: Current): void {
    const { counts } = this.parts.report;
    this.scans.saw(item);
    counts.itemsRead += 1;
    for (const { name, sizeBytes } of stored.contents) if (!unchanged.includes(name)) counts.bytesRead += sizeBytes;
    this.removals.cameBack(item.id);
    if (!isSame(stored, current)) this.changes.add({ type: 'put', item: stored });
    this.parts.report.alerts(alerts(), this.changes);
    this.find(item.id);
  }

  /** Deleted between the list and the read. It is not lost, since it is no more; that it is gone, the next list will say. */
  private missed(item: Item): void {
    this.scans.saw(item);
    this.find(item.id);
  }

  private async settle(event: Exclude<SourceEvent, { type: 'item' }>): Promise<void> {
    const { report } = this.parts;
    if (event.type === 'cursor') this.settleCursor(event);
    else if (event.type === 'scan-begin') this.scans.begin(event.scan, !event.resumed);
    else if (event.type === 'scan-end') await this.removeUnlisted(event.scan);
    else if (event.type === 'removed') await this.remove(event.id, event.fromParentId);
    else if (event.type === 'lost') this.lose(event.item);
    else if (event.type === 'failure') report.partFailed(this.changes, event.message);
    else if (event.type === 'skipped') report.skipped(this.changes, event.id, event.name, event.cause);
    else report.alert(event.alert.code, event.alert.message, this.changes);
  }

  private settleCursor(event: Extract<SourceEvent, { type: 'cursor' }>): void {
    if ((this.cursors.get(event.scope) ?? null) === event.value) return;
    this.cursors.set(event.scope, event.value);
    this.changes.add(event);
  }

  private lose(item: LostItem): void {
    this.scans.saw(item);
    if (!this.reported.has(item.id)) this.parts.report.lost(this.changes, item);
    this.reported.add(item.id);
    if (this.lost.get(item.id)?.reason === item.reason) return;
    this.lost.set(item.id, item);
    this.changes.add({ type: 'lost', item });
  }

  /** What is lost stays so until it is read or gone, also where the source did not come to it: no run without it is a success. */
  reportStillLost(): void {
    for (const item of this.lost.values()) this.lose(item);
  }

  private find(id: string): void {
    if (this.lost.delete(id)) this.changes.add({ type: 'found', item: id });
  }

  /** Removes what is below a deleted container, unless it was listed somewhere else: not every source reports all of it. */
  async removeBelowGone(): Promise<void> {
    for (let id = this.removals.nextContainer(); id !== undefined; id = this.removals.nextContainer()) {
      if ((await this.changes.current(id)) !== null) continue;
      for await (const { id: child } of this.changes.currentIds(ITEM_KINDS, id)) {
        await this.remove(child, id);
        await this.parts.committer.commitIfDue();
      }
    }
  }

  /** Counts what earlier runs removed without a report. */
  async recall({ key, from, to }: Unreported): Promise<void> {
    if (from === to) return;
    const query = { object: key, from, to, parentId: null, what: ['vanished'], limit: RECALLED_A_PAGE } as const;
    let after: string | null = null;
    do {
      const page: Page<ItemChange> = await this.parts.catalog.changes(
        after === null ? query : { ...query, after },
        this.parts.signal,
      );
      for (const { version } of page.rows) this.removals.went(version);
      after = page.next;
    } while (after !== null);
  }

  /** Reports that much of the object was removed at once, and retains it for longer: it may be an attack, or a mistake of the source. */
  async reportShrinkage({ key, from }: Unreported): Promise<void> {
    const { catalog, report } = this.parts;
    if (this.removals.count <= SHRUNK_ITEMS) return;
    const { items } = await catalog.weigh(key, from, null);
    if (this.removals.count > items * SHRUNK_SHARE) report.shrunk(this.changes, this.removals.count, items);
  }

  private async removeUnlisted(scan: Scan): Promise<void> {
    for await (const { id, parentId } of this.scans.end(scan, [...this.lost.values()])) {
      await this.remove(id, parentId);
      await this.parts.committer.commitIfDue();
    }
  }

  /** @param fromParentId the container it was in: what is in another one by now stays */
  private async remove(id: string, fromParentId?: string | null): Promise<void> {
    const isThere = (parentId: string | null) => fromParentId === undefined || fromParentId === parentId;
    const lost = this.lost.get(id);
    if (lost !== undefined && isThere(lost.parentId)) this.find(id);
    const current = await this.changes.current(id);
    if (current === null || !isThere(current.parentId)) return;
    this.parts.report.counts.itemsRemoved += 1;
    this.removals.went(current);
    this.changes.add({ type: 'remove', item: id });
  }
}

/** For a person: what stopped an object. */
export function reasonOf(error: unknown): string {
  if (error instanceof EngineError) return error.message;
  return `Unexpected: ${error instanceof Error ? error.message : String(error)}`;
}
