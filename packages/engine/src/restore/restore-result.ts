import type { NotBackedUp } from '../browse/not-backed-up.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ItemOutcome } from './item-outcome.ts';
import type { DoneLine } from './restore-journal.ts';
import { SKIP_REASONS, type SkipReason } from './skip-reasons.ts';

export interface RestoreResult {
  outcome: Outcome;
  /** Folders and the like that the items went into, made or found. They do not count as items. */
  containers: number;
  restored: number;
  replaced: number;
  skipped: number;
  failed: number;
  /** Items and folders that were not dealt with because the restore was stopped. */
  notBegun: number;
  bytes: number;
  /** How many were skipped for which reason. */
  skippedBecause: Readonly<Record<string, number>>;
  /** Every item that failed, with the reason. */
  failures: readonly ItemOutcome[];
  /** What vendors did not take, and of how many items: those are restored all the same, and the outcome is a Warning. */
  losses: Readonly<Record<string, number>>;
  /** What is not in the backup, or not in its newest version, since that could not read it: without it the outcome is a Warning too. */
  notBackedUp: readonly NotBackedUp[];
  /** What ended the restore before its end; `null`: it came to it. */
  stoppedBy: string | null;
}

export interface RestoreProgress {
  items: number;
  bytes: number;
  totalItems: number;
  totalBytes: number;
  /** Of this attempt. */
  elapsedMs: number;
  /** Of this attempt too. */
  bytesPerSecond: number;
  /** `null` while it is unknown. */
  secondsLeft: number | null;
}

/** Below this an estimate says nothing. */
const ESTIMATE_AFTER_MS = 2_000;

/** Counts what becomes of items, one result for all attempts of a restore. */
export class RestoreCount {
  private readonly counts = { restored: 0, replaced: 0, skipped: 0, failed: 0 };
  private readonly skippedBecause: Record<string, number> = {};
  private readonly losses: Record<string, number> = {};
  private readonly failures: ItemOutcome[] = [];
  /** What the scope lacks from the start. */
  notBackedUp: readonly NotBackedUp[] = [];
  private readonly startedMs: number;
  private readonly now: () => number;
  private bytes = 0;
  private containers = 0;
  private earlierItems = 0;
  private earlierBytes = 0;
  total = { items: 0, bytes: 0 };

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
    this.startedMs = now();
  }

  entered(losses: readonly string[]): void {
    this.containers += 1;
    this.lose(losses);
  }

  /** What an attempt before this one dealt with. */
  earlier({ outcome, reason, bytes = 0, losses = [] }: DoneLine): void {
    this.earlierItems += 1;
    this.earlierBytes += bytes;
    this.add(outcome, reason, bytes, losses);
  }

  took(item: ItemOutcome): void {
    this.add(item.outcome, item.reason, item.bytes, item.losses);
    if (item.outcome === 'failed') this.failures.push(item);
  }

  progress(): RestoreProgress {
    const items = this.items();
    const elapsedMs = this.now() - this.startedMs;
    const share = (items - this.earlierItems) / Math.max(1, this.total.items - this.earlierItems);
    const isEarly = elapsedMs < ESTIMATE_AFTER_MS || share <= 0;
    return {
      items,
      bytes: this.bytes,
      totalItems: this.total.items,
      totalBytes: this.total.bytes,
      elapsedMs,
      bytesPerSecond: elapsedMs > 0 ? ((this.bytes - this.earlierBytes) / elapsedMs) * 1_000 : 0,
      secondsLeft: isEarly ? null : (elapsedMs / share) * Math.max(0, 1 - share) * 0.001,
    };
  }

  result(stoppedBy: string | null, isOnRequest: boolean): RestoreResult {
    const { counts, containers, bytes, skippedBecause, failures, losses, notBackedUp } = this;
    const outcome = this.outcome(stoppedBy, isOnRequest);
    const isStopped = stoppedBy !== null || isOnRequest;
    const notBegun = isStopped ? Math.max(0, this.total.items - this.items()) : 0;
    const lacking = { failures, losses, notBackedUp };
    return { outcome, containers, ...counts, notBegun, bytes, skippedBecause, ...lacking, stoppedBy };
  }

  private items(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, this.containers);
  }

  private outcome(stoppedBy: string | null, isOnRequest: boolean): Outcome {
    const { restored, replaced, skipped, failed } = this.counts;
    if (isOnRequest) return 'Stopped';
    const isWhole = failed + this.notBackedUp.length === 0 && Object.keys(this.losses).length === 0;
    if (stoppedBy === null && isWhole) return 'Success';
    return restored + replaced + skipped === 0 ? 'Failed' : 'Warning';
  }

  private add(
    outcome: ItemOutcome['outcome'],
    reason: string | undefined,
    bytes: number,
    losses: readonly string[],
  ): void {
    this.counts[outcome] += 1;
    this.bytes += bytes;
    if (outcome === 'skipped') {
      const why = isSkipReason(reason) ? SKIP_REASONS[reason] : (reason ?? '');
      this.skippedBecause[why] = (this.skippedBecause[why] ?? 0) + 1;
    }
    this.lose(losses);
  }

  private lose(losses: readonly string[]): void {
    for (const loss of losses) this.losses[loss] = (this.losses[loss] ?? 0) + 1;
  }
}

function isSkipReason(reason: string | undefined): reason is SkipReason {
  return reason !== undefined && reason in SKIP_REASONS;
}
