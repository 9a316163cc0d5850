import type { EngineEvent, PlannedItem } from '@keepwatch/engine/engine';
import type { Pool } from '../../foundation/database.ts';
import { ITEMS_MAX, type ItemOfPart, type OperationItem, storeItems } from './operation-items.ts';
import { type OperationKey, updateOperation } from './operations.ts';
import {
  type EndedParts,
  NOTHING_DONE,
  type OperationProgress,
  type PartEnd,
  sumOf,
  withPart,
} from './restore-order.ts';

/** How often the row says how far it is. */
const REPORT_MS = 1_000;
/** As many items wait to be stored. */
const WAITING_MAX = 500;

/** Writes how far an operation is: at most once a second, one write after another, and all of it at the end of each part. */
export class OperationReport {
  private readonly database: Pool;
  private readonly key: OperationKey;
  private ended: EndedParts;
  /** Of the part that goes on: what an attempt before had done of it is counted again by its journal. */
  private now: OperationProgress = NOTHING_DONE;
  private waiting: ItemOfPart[] = [];
  private stored = 0;
  private writtenMs = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(database: Pool, { providerId, id }: OperationKey, ended: EndedParts) {
    this.database = database;
    this.key = { providerId, id };
    this.ended = ended;
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
        reason: reason || (losses.length === 0 ? '' : `Restored without: ${losses.join('; ')}`),
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

  /** The parts that ended so far; the next one has their number. */
  parts(): EndedParts {
    return this.ended;
  }

  async endPart(end: PartEnd): Promise<void> {
    this.ended = withPart(this.ended, end);
    this.now = { ...NOTHING_DONE, total: 0 };
    await this.writing;
    await this.write();
  }

  /** Resolves when all items so far are stored. */
  async flush(): Promise<void> {
    await this.writing;
    await this.storeWaiting();
  }

  private add(item: OperationItem): void {
    if (this.stored >= ITEMS_MAX) return;
    this.stored += 1;
    this.waiting.push({ ...item, part: this.ended.parts });
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
    const { ended, now } = this;
    await updateOperation(this.database, this.key, { progress: { ...sumOf(ended.counts, now), ended } });
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
