import type { BackupResult, EngineEvent } from '@keepwatch/engine/engine';
import type { SessionProgress } from '../session-progress.ts';

const ESTIMATE_AFTER_MS = 5_000;

/** What was read and stored stays so when another worker goes on; what was lost or skipped is tried again, and counted then. */
type Earlier = Partial<Pick<SessionProgress, 'itemsRead' | 'itemsRemoved' | 'bytesRead' | 'bytesStored'>>;

/** How far a run is, as its events say it. */
export class ProgressMeter {
  private readonly beganMs = Date.now();
  /** Of the workers before this one. */
  private readonly earlier: Earlier;
  /** By this worker. */
  objectsDone = 0;
  private objectsTotal: number | null = null;
  private itemsRead = 0;
  private itemsLost = 0;
  private itemsSkipped = 0;
  private itemsRemoved = 0;
  private bytesRead = 0;
  private bytesStored = 0;
  private isReading = false;
  private hasEnded = false;

  constructor(earlier: Earlier = {}) {
    this.earlier = earlier;
  }

  add(event: EngineEvent): void {
    if (event.type === 'phase') this.isReading = event.phase === 'reading';
    if (event.type === 'lost') this.itemsLost += 1;
    if (event.type === 'skipped') this.itemsSkipped += 1;
    if (event.type === 'object-ended') this.itemsRemoved += event.counts.itemsRemoved;
    if (event.type === 'progress' && this.isReading && !this.hasEnded) this.read(event);
  }

  private read({ done, total, items, bytes, bytesStored }: Extract<EngineEvent, { type: 'progress' }>): void {
    this.objectsDone = done;
    this.objectsTotal = total;
    this.itemsRead = items ?? this.itemsRead;
    this.bytesRead = bytes ?? this.bytesRead;
    this.bytesStored = bytesStored ?? this.bytesStored;
  }

  /** What the run counted itself, which is complete. */
  end({ counts }: BackupResult): void {
    this.hasEnded = true;
    this.objectsDone = counts.objects - counts.objectsFailed;
    this.objectsTotal = counts.objects;
    this.itemsRead = counts.itemsRead;
    this.itemsLost = counts.itemsLost;
    this.itemsSkipped = counts.itemsSkipped;
    this.itemsRemoved = counts.itemsRemoved;
    this.bytesRead = counts.bytesRead;
    this.bytesStored = counts.bytesStored;
  }

  progress(): SessionProgress {
    const elapsedMs = Math.max(1, Date.now() - this.beganMs);
    const { objectsDone, objectsTotal, itemsLost, itemsSkipped, bytesRead, earlier } = this;
    const counts = {
      objectsDone,
      objectsTotal,
      itemsRead: this.itemsRead + (earlier.itemsRead ?? 0),
      itemsLost,
      itemsSkipped,
      itemsRemoved: this.itemsRemoved + (earlier.itemsRemoved ?? 0),
      bytesRead: bytesRead + (earlier.bytesRead ?? 0),
      bytesStored: this.bytesStored + (earlier.bytesStored ?? 0),
    };
    const bytesPerSecond = Math.round((bytesRead / elapsedMs) * 1_000);
    return { ...counts, bytesPerSecond, expectedEndAt: this.expectedEnd(elapsedMs) };
  }

  private expectedEnd(elapsedMs: number): string | null {
    const { objectsDone, objectsTotal } = this;
    if (this.hasEnded || objectsTotal === null || objectsDone === 0 || elapsedMs < ESTIMATE_AFTER_MS) return null;
    return new Date(this.beganMs + (elapsedMs * objectsTotal) / objectsDone).toISOString();
  }
}
