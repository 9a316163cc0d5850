/**
 * Ends a program's effects at one of its operations, as a SIGKILL does: the operation takes place or not, and nothing that the program
 * would do afterwards happens any more, not even giving back a lock. Its promises stay open for ever.
 */
export class Freezer {
  operations = 0;
  private readonly at: number;
  private readonly isAfter: boolean;
  private readonly frozen: Promise<'frozen'>;
  private freeze: () => void = () => undefined;
  private readonly inFlight = new Set<Promise<unknown>>();
  private readonly streams: AsyncIterator<unknown>[] = [];

  /** @param at the operation at which all ends; @param isAfter whether that one still takes place */
  constructor(at: number, isAfter: boolean) {
    this.at = at;
    this.isAfter = isAfter;
    this.frozen = new Promise((resolve) => {
      this.freeze = () => resolve('frozen');
    });
  }

  /** What the work comes to, or `frozen` when the outside has come to rest. */
  async run<Result>(work: Promise<Result>): Promise<Result | 'frozen'> {
    const result = await Promise.race([work, this.frozen]);
    if (result !== 'frozen') return result;
    await Promise.allSettled(this.inFlight);
    // As the end of a process closes its connections.
    for (const stream of this.streams) await stream.return?.();
    return 'frozen';
  }

  /** The same thing, whose methods count as operations. Effects reach the outside through it alone. */
  wrap<Thing extends object>(thing: Thing): Thing {
    return new Proxy(thing, {
      get: (_, name) => {
        const member: unknown = Reflect.get(thing, name, thing);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => this.call(() => member.apply(thing, given));
      },
    });
  }

  private call(work: () => unknown): unknown {
    this.operations += 1;
    if (this.operations > this.at || (this.operations === this.at && !this.isAfter)) return this.stop();
    const result = work();
    if (result instanceof Promise) {
      this.inFlight.add(result);
      result.then(
        () => this.inFlight.delete(result),
        () => this.inFlight.delete(result),
      );
    } else if (isStream(result)) this.streams.push(result[Symbol.asyncIterator]());
    if (this.operations < this.at) return result;
    // It is on its way, and its result is not received.
    if (result instanceof Promise) result.then(this.freeze, this.freeze);
    else this.freeze();
    return new Promise(() => undefined);
  }

  private stop(): Promise<never> {
    this.freeze();
    return new Promise(() => undefined);
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
