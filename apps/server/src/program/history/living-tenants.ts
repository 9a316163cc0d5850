import type { RunningTenant, TenantOptions } from '@keepwatch/sandbox/microsoft365/server';
import { HastenedClock } from './hastened-clock.ts';
import { changesSince } from './nights.ts';

/** Changes at once: one each to mailboxes, people, files, sites, teams, chats, threads and plans. */
const STEPS = 8;

/** Two tenants of the sandbox, in which people work day by day. */
export interface LivingTenants {
  tenants: RunningTenant;
  clock: HastenedClock;
  /** Lets everything happen that is due until then; the clock stays at the last of it. */
  liveUntil(at: Date): void;
  /** From now on their clock is ours. */
  followPresent(): void;
}

/**
 * Starts tenants as they were on a morning. The same morning gives the same tenants, with the same changes at the same instants: those that make the
 * history of the demonstration, and those that people then use, are one world.
 */
export async function startLivingTenants(
  morning: Date,
  options: Pick<TenantOptions, 'port' | 'budgets'>,
): Promise<LivingTenants> {
  const { startTenant } = await import('@keepwatch/sandbox/microsoft365/server');
  const clock = new HastenedClock(morning);
  let now = () => clock.now();
  const tenants = await startTenant({ ...options, tenants: 2, now: () => new Date(now()) });
  const changes = changesSince(morning);
  let next = changes.next().value;
  return {
    tenants,
    clock,
    liveUntil(at) {
      for (; next <= at; next = changes.next().value) {
        clock.hold(next);
        tenants.evolve(STEPS);
      }
    },
    followPresent() {
      now = () => Date.now();
    },
  };
}
