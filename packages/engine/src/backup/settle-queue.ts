/** What is to be done with a value once it was worked on. */
export type Settle = () => Promise<void> | void;

/**
 * Values are worked on side by side and settled one after the other, in the order in which they came. The first failure, of work or of settling, ends
 * it: nothing after that value is settled.
 */
export class SettleQueue {
  private readonly workingMax: number;
  private readonly waitingMax: number;
  private readonly onFull: () => void;
  private added = 0;
  private waiting = 0;
  /** What is worked on, by its place in the order: the oldest first. */
  private readonly inFlight = new Map<number, Promise<Settle>>();
  private last: Promise<void> = Promise.resolve();
  private failure: { error: unknown } | null = null;
  private wake: () => void = () => undefined;

  /**
   * @param workingMax how far the newest value may be ahead of the oldest one that is still worked on: so many are worked on at a time
   * @param waitingMax values that are not settled yet
   * @param onFull called when so many wait that no more can come
   */
  constructor(workingMax: number, waitingMax: number, onFull: () => void) {
    this.workingMax = workingMax;
    this.waitingMax = waitingMax;
    this.onFull = onFull;
  }

  /** Accepts a value and waits until there is room for the next one. @throws what a value before failed of */
  async add(work: () => Promise<Settle>): Promise<void> {
    this.begin(work());
    while (this.failure === null && this.isFull()) {
      if (this.waiting >= this.waitingMax) this.onFull();
      await new Promise<void>((resume) => {
        this.wake = resume;
      });
    }
    this.throwFailure();
  }

  /** Waits until all is settled. */
  async end(): Promise<void> {
    await this.last;
    this.throwFailure();
  }

  /** Waits until nothing is worked on any more. Never fails. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.inFlight.values());
  }

  private isFull(): boolean {
    const [oldest = this.added] = this.inFlight.keys();
    return this.added - oldest >= this.workingMax || this.waiting >= this.waitingMax;
  }

  private begin(work: Promise<Settle>): void {
    const place = this.added;
    this.added += 1;
    this.waiting += 1;
    this.inFlight.set(place, work);
    const ended = () => {
      this.inFlight.delete(place);
      this.wake();
    };
    // A failure is thrown in its turn; until then it must not count as unhandled.
    work.then(ended, ended);
    this.last = this.settleAfter(this.last, work);
  }

  private async settleAfter(before: Promise<void>, work: Promise<Settle>): Promise<void> {
    await before;
    if (this.failure !== null) return;
    try {
      const settle = await work;
      await settle();
    } catch (error) {
      this.failure = { error };
    }
    this.waiting -= 1;
    this.wake();
  }

  private throwFailure(): void {
    if (this.failure !== null) throw this.failure.error;
  }
}
