import { unit } from '../world/random.ts';
import type { Fault } from './fault.ts';

interface Rule {
  fault: Fault;
  pattern: RegExp;
  timesLeft: number;
}

/** The active rules. The first one that matches a request hits it. */
export class FaultPlan {
  #rules: Rule[] = [];
  #asked = 0;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Replaces all rules. */
  set(faults: readonly Fault[]): void {
    this.#rules = faults.map((fault) => ({
      fault,
      pattern: patternOf(fault.path ?? '*'),
      timesLeft: fault.times ?? (fault.kind === 'expired-token' ? 1 : Number.POSITIVE_INFINITY),
    }));
  }

  /** The rules as they were given, with how often each can still hit; null means without limit. */
  list(): (Fault & { timesLeft: number | null })[] {
    return this.#rules.map(({ fault, timesLeft }) => ({
      ...fault,
      timesLeft: Number.isFinite(timesLeft) ? timesLeft : null,
    }));
  }

  /** Returns the fault that hits a request for this path, if any, and counts it. */
  hit(path: string): Fault | undefined {
    for (const rule of this.#rules) {
      if (rule.timesLeft <= 0 || !rule.pattern.test(path)) continue;
      this.#asked += 1;
      if (unit(this.#seed, this.#asked, 320) >= (rule.fault.probability ?? 1)) continue;
      rule.timesLeft -= 1;
      return rule.fault;
    }
    return undefined;
  }
}

function patternOf(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
