import type { EngineEvent, PlannedItem } from '@keepwatch/engine/engine';
import type { Pool } from '../../foundation/database.ts';
import { ITEMS_MAX, lastLineOf, type OperationItem, storeItems } from './operation-items.ts';
import { type OperationKey, updateOperation } from './operations.ts';
import { NOTHING_DONE, type OperationProgress, type StoredProgress, sumOf } from './restore-order.ts';

/** How often the row says how far it is. */
const REPORT_MS = 1_000;
/** As many items wait to be stored. */
const WAITING_MAX = 500;

/** Writes how far an operation is: at most once a second, one write after another, and all of it at the end of each part. */
export class OperationReport {
  private readonly database: Pool;
  private readonly key: OperationKey;
  /** Of the parts that ended. */
  private before: OperationProgress;
  private now: OperationProgress = NOTHING_DONE;
  private partsDone: number;
  private lastLine: number;
  private waiting: OperationItem[] = [];
  private stored = 0;
  private writtenMs = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    database: Pool,
    { providerId, id }: OperationKey,
    { partsDone = 0, lastLine = 0, ...known }: StoredProgress,
  ) {
    const before = { ...NOTHING_DONE, ...known };
    this.database = database;
    this.key = { providerId, id };
    this.lastLine = lastLine;
    // What a part that was broken off had done is counted again by its journal.
    this.before = { ...(partsDone === 0 ? NOTHING_DONE : before), total: partsDone === 0 ? 0 : before.total };
    this.partsDone = partsDone;
  }

  took(event: EngineEvent): void {
    if (event.type === 'progress')
      this.now = { ...this.now, done: event.done, total: event.total ?? null, bytes: event.bytes ?? 0 };
    if (event.type === 'item') {
      const { id: itemId, kind, name, path, outcome, reason, losses } = event;
      this.add({
        itemId,
        kind: kind ?? '',
        name,
        path: path.join(' / '),
        outcome,
        reason: reason || losses.join('; '),
      });
    }
    this.writeSoon();
  }

  planned({ id: itemId, kind, name, action, reason: why }: PlannedItem): void {
    const reason: string = why ?? '';
    this.now = { ...this.now, done: this.now.done + 1 };
    this.add({ itemId, kind, name, path: '', outcome: action === 'skip' ? 'skipped' : action, reason });
    this.writeSoon();
  }

  /** All parts so far. */
  counts(): OperationProgress {
    return this.before;
  }

  async endPart(counts: OperationProgress, partsDone: number): Promise<void> {
    this.before = sumOf(this.before, counts);
    this.now = NOTHING_DONE;
    await this.writing;
    await this.storeWaiting();
    this.lastLine = await lastLineOf(this.database, this.key);
    this.partsDone = partsDone;
    await this.write();
  }

  /** The last line of the parts that ended: what is stored after it is of the part that is being done. */
  get lineBefore(): number {
    return this.lastLine;
  }

  /** Resolves when all items so far are stored. */
  async flush(): Promise<void> {
    await this.writing;
    await this.storeWaiting();
  }

  private add(item: OperationItem): void {
    if (this.stored >= ITEMS_MAX) return;
    this.stored += 1;
    this.waiting.push(item);
  }

  private writeSoon(): void {
    const isDue = Date.now() - this.writtenMs > REPORT_MS || this.waiting.length > WAITING_MAX;
    if (!isDue) return;
    this.writtenMs = Date.now();
    // A report that fails is not worth the end of the restore: the next one says the same and more.
    this.writing = this.writing.then(() => this.write()).catch(() => undefined);
  }

  private async write(): Promise<void> {
    await this.storeWaiting();
    const { partsDone, lastLine } = this;
    const progress = { ...sumOf(this.before, this.now), partsDone, lastLine };
    await updateOperation(this.database, this.key, { progress });
  }

  private async storeWaiting(): Promise<void> {
    const items = this.waiting;
    this.waiting = [];
    await storeItems(this.database, this.key, items).catch((error: unknown) => {
      this.waiting = [...items, ...this.waiting];
      throw error;
    });
  }
}
