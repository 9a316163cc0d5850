import { GraphError } from './graph-error.ts';

/** Documented limits of one application on one mailbox. */
const mostAtOnce = 4;
const mostInWindow = 10_000;
const windowMs = 600_000;

interface Mailbox {
  now: number;
  peak: number;
  windowStartMs: number;
  inWindow: number;
}

/** Counts requests, and enforces the documented budgets of mailboxes where they are switched on. */
export class Traffic {
  private readonly byOperation = new Map<string, number>();
  private readonly byStatus = new Map<number, number>();
  private readonly mailboxes = new Map<string, Mailbox>();
  private readonly nowMs: () => number;
  private readonly areBudgetsOn: boolean;
  private total = 0;
  private bytesSent = 0;

  constructor(nowMs: () => number, areBudgetsOn: boolean) {
    this.nowMs = nowMs;
    this.areBudgetsOn = areBudgetsOn;
  }

  count(operation: string, status: number): void {
    this.total += 1;
    this.byOperation.set(operation, (this.byOperation.get(operation) ?? 0) + 1);
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
  }

  countBytes(bytes: number): void {
    this.bytesSent += bytes;
  }

  /**
   * Marks the start of a request to a mailbox; what it gives back marks its end.
   * @throws GraphError 429 with Retry-After when a budget is used up
   */
  enterMailbox(applicationId: string, userId: string): () => void {
    const mailbox = this.mailboxOf(`${applicationId}/${userId}`);
    if (this.areBudgetsOn) this.check(mailbox);
    mailbox.now += 1;
    mailbox.inWindow += 1;
    mailbox.peak = Math.max(mailbox.peak, mailbox.now);
    return () => {
      mailbox.now -= 1;
    };
  }

  /** What has been asked since the start or the last `reset`. */
  report() {
    return {
      total: this.total,
      bytesSent: this.bytesSent,
      byOperation: Object.fromEntries([...this.byOperation].toSorted(([, left], [, right]) => right - left)),
      byStatus: Object.fromEntries(this.byStatus),
      /** Most requests to each mailbox at one time, by application and user. */
      peakByMailbox: Object.fromEntries([...this.mailboxes].map(([key, { peak }]) => [key, peak])),
    };
  }

  reset(): void {
    this.total = 0;
    this.bytesSent = 0;
    this.byOperation.clear();
    this.byStatus.clear();
    for (const mailbox of this.mailboxes.values()) mailbox.peak = mailbox.now;
  }

  private mailboxOf(key: string): Mailbox {
    const known = this.mailboxes.get(key);
    if (known) return known;
    const mailbox = { now: 0, peak: 0, windowStartMs: this.nowMs(), inWindow: 0 };
    this.mailboxes.set(key, mailbox);
    return mailbox;
  }

  private check(mailbox: Mailbox): void {
    const nowMs = this.nowMs();
    if (nowMs - mailbox.windowStartMs >= windowMs) Object.assign(mailbox, { windowStartMs: nowMs, inWindow: 0 });
    if (mailbox.now >= mostAtOnce) throw throttled('MailboxConcurrency', 1);
    if (mailbox.inWindow >= mostInWindow) {
      throw throttled('RequestCount', Math.ceil((mailbox.windowStartMs + windowMs - nowMs) / 1000));
    }
  }
}

function throttled(limit: string, seconds: number): GraphError {
  const headers = { 'retry-after': String(seconds) };
  return new GraphError(429, 'ApplicationThrottled', `Application is over its ${limit} limit.`, headers);
}
