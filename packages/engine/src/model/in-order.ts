import type { RoomShare, SharedRoom } from './shared-room.ts';

/** How far work may be ahead of who takes its results. */
export interface Ahead<In> {
  /** So many values at most are worked on, or their results wait for their turn; asked before each is begun. */
  atOnce(): number;
  /** Shared with others: bounds what all of them have in memory together. Its reserve has room for one value, so that none waits for another for ever. */
  room: SharedRoom;
  bytesOf(value: In): number;
}

interface Begun<Out> {
  work: Promise<Out>;
  /** Gives its room back. */
  leave: () => void;
}

/**
 * Works on values side by side and gives the results in the order of the values. Values are read and begun also while the results before them are being
 * used: a slow one, or a slow user, leaves nothing undone as long as there is room. The first failure is thrown when its turn comes, and what is in
 * flight by then is left to end; should the values themselves fail, all before that are given first.
 * @param ahead where no value needs much memory: how many are worked on, or wait for their turn, beside the one that is used
 */
export async function* inOrder<In, Out>(
  values: AsyncIterable<In>,
  ahead: number | Ahead<In>,
  work: (value: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const reading = new ReadingAhead(values, ahead, work);
  try {
    for (let next = await reading.head(); next !== null; next = await reading.head()) {
      const result = await next.work;
      // The place of a result without room is free at once, so that as many are worked on while it is used.
      if (typeof ahead === 'number') reading.used();
      yield result;
      if (typeof ahead !== 'number') reading.used();
    }
  } finally {
    await reading.end();
  }
}

class ReadingAhead<In, Out> {
  private readonly ahead: number | Ahead<In>;
  private readonly room: RoomShare | null;
  private readonly begun: Begun<Out>[] = [];
  private readonly reading: Promise<void>;
  private failure: { error: unknown } | null = null;
  private isRead = false;
  private isLeft = false;
  private isWaiting = false;
  private changed = Promise.withResolvers<void>();

  constructor(values: AsyncIterable<In>, ahead: number | Ahead<In>, work: (value: In) => Promise<Out>) {
    this.ahead = ahead;
    this.room = typeof ahead === 'number' ? null : ahead.room.share();
    this.reading = this.readAll(values, work)
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .finally(() => {
        this.isRead = true;
        this.notify();
      });
  }

  /** What is to be given next; `null` when all was. @throws why the values ended, when all before was given */
  async head(): Promise<Begun<Out> | null> {
    while (this.begun.length === 0 && !this.isRead) await this.changed.promise;
    const [head = null] = this.begun;
    if (head === null && this.failure !== null) throw this.failure.error;
    return head;
  }

  /** The head is not needed any more. */
  used(): void {
    this.begun.shift()?.leave();
    this.notify();
  }

  /** Waits until nothing is worked on. */
  async end(): Promise<void> {
    this.isLeft = true;
    this.notify();
    // Who waits for room has nothing to give up, and may wait for others.
    if (!this.isWaiting) await this.reading;
    await Promise.allSettled(this.begun.map(({ work }) => work));
    while (this.begun.length > 0) this.used();
  }

  private async readAll(values: AsyncIterable<In>, work: (value: In) => Promise<Out>): Promise<void> {
    for await (const value of values) {
      while (this.begun.length >= this.atOnce() && !this.isLeft) await this.changed.promise;
      if (this.isLeft) return;
      const leave = await this.enter(value);
      if (this.isLeft) {
        leave();
        return;
      }
      this.begin(work(value), leave);
    }
  }

  private atOnce(): number {
    return typeof this.ahead === 'number' ? this.ahead : this.ahead.atOnce();
  }

  /** @returns what gives the room back */
  private async enter(value: In): Promise<() => void> {
    const { ahead, room } = this;
    if (typeof ahead === 'number' || room === null) return () => undefined;
    this.isWaiting = true;
    const bytes = ahead.bytesOf(value);
    await room.enter(bytes);
    this.isWaiting = false;
    return () => room.leave(bytes);
  }

  private begin(work: Promise<Out>, leave: () => void): void {
    // It is awaited in its turn; until then a failure must not count as unhandled.
    work.catch(() => undefined);
    this.begun.push({ work, leave });
    this.notify();
  }

  private notify(): void {
    this.changed.resolve();
    this.changed = Promise.withResolvers();
  }
}
