import { Gate } from './gate.ts';

/**
 * Room that all runs of a process share, which bounds their memory. One run may hold all of it while its store hangs; so a run that has nothing
 * gets what it asks for in any case, and none waits for another for ever.
 */
export class SharedRoom {
  private readonly gate: Gate;

  constructor(room: number) {
    this.gate = new Gate(room);
  }

  join(): RunRoom {
    return new RunRoom(this.gate);
  }
}

/** The room as one run uses it. */
export class RunRoom {
  private readonly gate: Gate;
  /** Amounts that it has, of the shared room or beside it. */
  private held = 0;
  /** Those that wait; each says whether it still did. */
  private readonly waiting: (() => boolean)[] = [];

  constructor(gate: Gate) {
    this.gate = gate;
  }

  /** Waits for room. @returns what gives it back */
  enter(amount: number): Promise<() => void> {
    const leaveShared = () => this.gate.leave(amount);
    if (this.gate.enterNow(amount)) return Promise.resolve(this.hold(leaveShared));
    if (this.held === 0) return Promise.resolve(this.hold(() => undefined));
    const { promise, resolve } = Promise.withResolvers<() => void>();
    let isIn = false;
    this.waiting.push(() => {
      if (isIn) return false;
      isIn = true;
      resolve(this.hold(() => undefined));
      return true;
    });
    this.gate.enter(amount).then(() => {
      if (isIn) leaveShared();
      else resolve(this.hold(leaveShared));
      isIn = true;
    });
    return promise;
  }

  private hold(leave: () => void): () => void {
    this.held += 1;
    return () => {
      leave();
      this.held -= 1;
      while (this.held === 0 && this.waiting.length > 0) this.waiting.shift()?.();
    };
  }
}
