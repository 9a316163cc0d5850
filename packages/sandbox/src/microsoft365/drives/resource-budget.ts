import { GraphError } from '../wire/graph-error.ts';

/** Limits of one application in one tenant, in resource units; documented for tenants of up to 1,000 licences. */
export interface ResourceLimits {
  /** Default at the vendor: 1,250. */
  perMinute: number;
  /** Default at the vendor: 1,200,000. */
  perDay: number;
}

export const documentedLimits: ResourceLimits = { perMinute: 1250, perDay: 1_200_000 };

const windows = [
  ['perMinute', 60_000],
  ['perDay', 86_400_000],
] as const;

interface Usage {
  startMs: number;
  units: number;
}

/** From this share of a limit on, replies report how much is left, as documented. */
const warningShare = 0.8;

/** Counts resource units of SharePoint and OneDrive, and refuses what is beyond the limits where they are set. */
export class ResourceBudget {
  private readonly usages = new Map<string, Usage>();
  private limits: ResourceLimits | undefined;

  /** `undefined` ends all limits. */
  limit(limits: ResourceLimits | undefined): void {
    this.limits = limits;
    this.usages.clear();
  }

  /**
   * Takes the units of a request.
   * @returns headers that warn when a limit is near
   * @throws GraphError 429 with Retry-After and the RateLimit headers
   */
  charge(applicationId: string, units: number, nowMs: number): Record<string, string> {
    const { limits } = this;
    if (!limits) return {};
    let warning: Record<string, string> = {};
    for (const [name, lengthMs] of windows) {
      const usage = this.usageOf(`${applicationId}/${name}`, lengthMs, nowMs);
      const limit = limits[name];
      const seconds = Math.ceil((usage.startMs + lengthMs - nowMs) / 1000);
      if (usage.units + units > limit) throw throttled(limit, seconds);
      usage.units += units;
      if (usage.units >= limit * warningShare) warning = rateLimit(limit, limit - usage.units, seconds);
    }
    return warning;
  }

  private usageOf(key: string, lengthMs: number, nowMs: number): Usage {
    const known = this.usages.get(key);
    if (known && nowMs - known.startMs < lengthMs) return known;
    const fresh = { startMs: nowMs, units: 0 };
    this.usages.set(key, fresh);
    return fresh;
  }
}

const rateLimit = (limit: number, remaining: number, seconds: number) => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, remaining)),
  'ratelimit-reset': String(seconds),
});

function throttled(limit: number, seconds: number): GraphError {
  const headers = { 'retry-after': String(seconds), ...rateLimit(limit, 0, seconds) };
  return new GraphError(
    429,
    'activityLimitReached',
    'The app has been throttled: wait as long as Retry-After says.',
    headers,
  );
}
