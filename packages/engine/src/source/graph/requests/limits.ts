import type { Clock } from '../clock.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import { RollingCount } from './rolling-count.ts';
import type { Workload } from './workload.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Resource units of one application in a tenant of up to so many licences: in a minute, and in a day. */
const SHAREPOINT_UNITS: readonly { licences: number; minute: number; day: number }[] = [
  { licences: 1_000, minute: 1_250, day: 1_200_000 },
  { licences: 5_000, minute: 2_500, day: 2_400_000 },
  { licences: 15_000, minute: 3_750, day: 3_600_000 },
  { licences: 50_000, minute: 5_000, day: 4_800_000 },
  { licences: Number.MAX_SAFE_INTEGER, minute: 6_250, day: 6_000_000 },
];

/** Requests under way at one time where the vendor documents no number. */
const AT_ONCE = { sharepoint: 16, teams: 8, directory: 8 } as const;

/**
 * The documented limits of one application in one tenant (https://learn.microsoft.com/graph/throttling-limits): 130,000 requests in 10
 * seconds in all; 4 at a time and 10,000 in 10 minutes for a mailbox; SharePoint's resource units by licences.
 */
export class Limits {
  private readonly clock: Clock;
  private readonly budgets = new Map<string, Budget>();
  private readonly all = new RollingCount(130_000, 10 * SECOND);
  private readonly unitsOfMinute = new RollingCount(0, MINUTE);
  private readonly unitsOfDay = new RollingCount(0, DAY);
  private licences = 0;

  /** @param licences of the tenant; `Infinity`: no limit to resource units but what replies say */
  constructor(licences: number, clock: Clock) {
    this.clock = clock;
    this.allowLicences(licences);
  }

  /** Takes a larger number of licences into account, also for what is under way. */
  allowLicences(licences: number): void {
    this.licences = Math.max(this.licences, licences);
    const units = SHAREPOINT_UNITS.find((tier) => this.licences <= tier.licences);
    this.unitsOfMinute.limit = units?.minute ?? Number.POSITIVE_INFINITY;
    this.unitsOfDay.limit = units?.day ?? Number.POSITIVE_INFINITY;
  }

  budgetOf({ kind, key }: Workload): Budget {
    const known = this.budgets.get(key);
    if (known !== undefined) return known;
    const budget = new Budget(this.limitsOf(kind), this.clock);
    this.budgets.set(key, budget);
    return budget;
  }

  private limitsOf(kind: Workload['kind']): BudgetLimits {
    const requests = [this.all];
    if (kind === 'mailbox')
      return { atOnce: 4, requests: [...requests, new RollingCount(10_000, 10 * MINUTE)], units: [] };
    return {
      atOnce: AT_ONCE[kind],
      requests,
      units: kind === 'sharepoint' ? [this.unitsOfMinute, this.unitsOfDay] : [],
    };
  }
}
