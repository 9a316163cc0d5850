/** What a store is asked for. */
export type StoreCall = 'create' | 'read' | 'readRange' | 'list' | 'delete';

/**
 * - `fail`: nothing happens, and the call fails (`store-unreachable`, retryable).
 * - `fail-after`: the work is done, and the call fails all the same: the answer got lost.
 * - `lag`: the call takes `lagMs` longer.
 * - `full`: the call fails with `store-full`.
 * - `cut-short`: half of the bytes are stored, or read. A range that is read is `damaged` then.
 * - `flip-bit`: one bit of the bytes that are stored or read is another.
 * - `lose`: a creation answers `true` and stores nothing; a deletion deletes nothing; what is read or listed is not there.
 * - `die-before`, `die-after`: the process dies before or after the work is done.
 */
export type FaultKind =
  | 'fail'
  | 'fail-after'
  | 'lag'
  | 'full'
  | 'cut-short'
  | 'flip-bit'
  | 'lose'
  | 'die-before'
  | 'die-after';

/** Something that goes wrong, and when. Without `at` and `chance`: every time. */
export interface Fault {
  kind: FaultKind;
  /** Which calls; all when left out. */
  calls?: readonly StoreCall[];
  /** Which objects, by name (of a list: by prefix); all when left out. */
  names?: RegExp;
  /** Only the n-th of these calls, counted from 1. */
  at?: number;
  /** Only so many of these calls, from 0 to 1, chosen by the seed. */
  chance?: number;
  lagMs?: number;
}

/** Decides for each call what goes wrong with it: the same for the same faults, seed and order of calls. */
export class FaultPlan {
  private readonly faults: readonly { fault: Fault; seen: number }[];
  private readonly random: () => number;

  constructor(faults: readonly Fault[], seed: number) {
    this.faults = faults.map((fault) => ({ fault, seen: 0 }));
    this.random = seededRandom(seed);
  }

  of(call: StoreCall, name: string): Fault[] {
    return this.faults.flatMap((counted) => {
      const { fault } = counted;
      if (fault.calls?.includes(call) === false || fault.names?.test(name) === false) return [];
      counted.seen += 1;
      const isDue = fault.at === undefined || fault.at === counted.seen;
      return isDue && (fault.chance === undefined || this.random() < fault.chance) ? [fault] : [];
    });
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }
}

/** Numbers from 0 to 1 that look random: a linear congruence with the constants of Numerical Recipes, modulo 2^32. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
