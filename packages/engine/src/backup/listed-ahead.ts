/** A batch that was worked off sooner is followed by a larger one. */
const SOON_MS = 30_000;
const BATCH_MAX = 4_096;

/**
 * Batches of what a list gives, which is read ahead: the first one of `first` values at most, and later ones as large as are worked off within
 * half a minute. So what is done once a batch is done seldom in long lists, and never long before its values are needed. A failure of the
 * list is thrown when all before it was given.
 */
export async function* listedAhead<Value>(
  values: AsyncIterable<Value>,
  first: number,
  nowMs: () => number = () => performance.now(),
): AsyncGenerator<Value[]> {
  const buffer = new ReadAhead(values);
  let size = first;
  try {
    for (;;) {
      const batch = await buffer.next(size);
      if (batch.length === 0) return;
      const begunMs = nowMs();
      yield batch;
      if (batch.length === size && nowMs() - begunMs < SOON_MS) size = Math.min(2 * size, BATCH_MAX);
    }
  } finally {
    await buffer.end();
  }
}

/** Reads a list until so much waits that it is more than a batch. */
class ReadAhead<Value> {
  private readonly values: AsyncIterator<Value>;
  private readonly waiting: Value[] = [];
  private readonly reading: Promise<void>;
  private failure: { error: unknown } | null = null;
  private isOver = false;
  private changed = Promise.withResolvers<void>();

  constructor(values: AsyncIterable<Value>) {
    this.values = values[Symbol.asyncIterator]();
    this.reading = this.read();
  }

  /** What waits, `most` at most; waits for a first value. Empty at the end. */
  async next(most: number): Promise<Value[]> {
    while (this.waiting.length === 0 && !this.isOver) await this.change();
    if (this.waiting.length === 0 && this.failure !== null) throw this.failure.error;
    const batch = this.waiting.splice(0, most);
    this.wake();
    return batch;
  }

  async end(): Promise<void> {
    this.isOver = true;
    this.wake();
    await this.reading;
    await this.values.return?.();
  }

  private async read(): Promise<void> {
    try {
      while (!this.isOver) {
        const { value, done } = await this.values.next();
        if (done === true) break;
        this.waiting.push(value);
        this.wake();
        while (this.waiting.length >= BATCH_MAX && !this.isOver) await this.change();
      }
    } catch (error) {
      this.failure = { error };
    }
    this.isOver = true;
    this.wake();
  }

  private change(): Promise<void> {
    return this.changed.promise;
  }

  private wake(): void {
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }
}
