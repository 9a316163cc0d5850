import type { TenantFault } from './fault.ts';

interface Rule {
  fault: TenantFault;
  pattern: RegExp;
  timesLeft: number;
}

/** The active rules. The first one that matches a request and has its chance hits it. */
export class FaultPlan {
  private rules: Rule[] = [];
  /** State of the generator that decides about probabilities; the same seed hits the same requests. */
  private state: number;

  constructor(seed: number) {
    this.state = (seed ^ 0x5eed) >>> 0;
  }

  /** Replaces all rules. */
  set(faults: readonly TenantFault[]): void {
    this.rules = faults.map((fault) => ({
      fault,
      pattern: patternOf(fault.path ?? '*'),
      timesLeft: fault.times ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** The rules as they were given, with how often each can still hit; null means without limit. */
  list(): (TenantFault & { timesLeft: number | null })[] {
    return this.rules.map(({ fault, timesLeft }) => ({
      ...fault,
      timesLeft: Number.isFinite(timesLeft) ? timesLeft : null,
    }));
  }

  /** Returns the fault that hits this request, if any, and counts it. */
  hit(method: string, path: string): TenantFault | undefined {
    for (const rule of this.rules) {
      if (rule.timesLeft <= 0 || !rule.pattern.test(path)) continue;
      if (rule.fault.method && rule.fault.method.toUpperCase() !== method) continue;
      if (rule.fault.probability !== undefined && this.chance() >= rule.fault.probability) continue;
      rule.timesLeft -= 1;
      return rule.fault;
    }
    return undefined;
  }

  /** The next number from 0 to below 1 (linear congruential, constants of Numerical Recipes). */
  private chance(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }
}

function patternOf(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i');
}
