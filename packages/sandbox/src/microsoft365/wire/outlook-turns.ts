/** Requests of one batch that Graph sends to Outlook at a time. */
const mostAtOnce = 4;

/**
 * Lets the requests of one batch that concern Outlook run four at a time, whichever mailboxes they are for: a batch alone stays within the limit of a
 * mailbox, and two of them do not. https://learn.microsoft.com/graph/throttling-limits#outlook-service-limits-for-json-batching
 */
export class OutlookTurns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** Waits for a turn; what it gives back ends it. */
  async enter(): Promise<() => void> {
    if (this.running < mostAtOnce) this.running += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    return () => {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    };
  }
}
