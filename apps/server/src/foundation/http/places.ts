import { Refusal } from '../errors.ts';

/** Who wants a place: one of a group, both of which have a share of all places. */
export interface Claimant {
  group: string;
  one: string;
}

export interface PlaceLimits {
  total: number;
  ofGroup: number;
  ofOne: number;
  /** How many of one, and of all, may wait. */
  waitingOfOne: number;
  waiting: number;
  waitMs: number;
}

interface Waiting {
  who: Claimant;
  start(): void;
}

const BUSY_SECONDS = 5;

/** The 503 for work that has to wait for other work of the same caller, or of all callers, longer than makes sense. */
export function busy(cause?: unknown): Refusal {
  const message = 'The portal is busy with other requests. Try again in a few seconds.';
  return new Refusal(503, 'BUSY', message, { retryAfterSeconds: BUSY_SECONDS, cause });
}

/** The end of a request whose caller no longer listens, so this text is never read. */
export function callerGone(): Refusal {
  return new Refusal(499, 'CALLER_GONE', 'The caller went away before the answer.');
}

/**
 * A number of places for work, shared fairly: one caller and one group have a part of them only, so that whatever one of them asks for,
 * the others find a place. A place that becomes free goes to the group that has the fewest, and in it to the caller that has the fewest.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #occupied: Claimant[] = [];
  #waiting: Waiting[] = [];

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a place; gives what leaves it. Throws 503 when too many wait already, or none becomes free in time. A caller that goes
   * away stops waiting.
   */
  enter(who: Claimant, gone: AbortSignal): Promise<() => void> {
    if (gone.aborted) return Promise.reject(callerGone());
    if (this.#fits(who)) return Promise.resolve(this.#occupy(who));
    const { waiting, waitingOfOne } = this.#limits;
    const own = this.#waiting.filter((other) => isSame(other.who, who)).length;
    if (own >= waitingOfOne || this.#waiting.length >= waiting) return Promise.reject(busy());
    return this.#wait(who, gone);
  }

  #wait(who: Claimant, gone: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const giveUp = (reason: Refusal) => {
        end();
        reject(reason);
      };
      const onGone = () => giveUp(callerGone());
      const timer = setTimeout(() => giveUp(busy()), this.#limits.waitMs);
      const end = () => {
        clearTimeout(timer);
        gone.removeEventListener('abort', onGone);
        this.#waiting = this.#waiting.filter((one) => one !== entry);
      };
      const entry: Waiting = {
        who,
        start: () => {
          end();
          resolve(this.#occupy(who));
        },
      };
      gone.addEventListener('abort', onGone, { once: true });
      this.#waiting.push(entry);
    });
  }

  #occupy(who: Claimant): () => void {
    this.#occupied.push(who);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#occupied.splice(this.#occupied.indexOf(who), 1);
      this.#next()?.start();
    };
  }

  #next(): Waiting | undefined {
    const fitting = this.#waiting.filter(({ who }) => this.#fits(who));
    const [first] = fitting.toSorted(
      (one, other) =>
        this.#ofGroup(one.who) - this.#ofGroup(other.who) || this.#ofOne(one.who) - this.#ofOne(other.who),
    );
    return first;
  }

  #fits(who: Claimant): boolean {
    const { total, ofGroup, ofOne } = this.#limits;
    return this.#occupied.length < total && this.#ofGroup(who) < ofGroup && this.#ofOne(who) < ofOne;
  }

  #ofGroup({ group }: Claimant): number {
    return this.#occupied.filter((other) => other.group === group).length;
  }

  #ofOne(who: Claimant): number {
    return this.#occupied.filter((other) => isSame(other, who)).length;
  }
}

function isSame(one: Claimant, other: Claimant): boolean {
  return one.group === other.group && one.one === other.one;
}
