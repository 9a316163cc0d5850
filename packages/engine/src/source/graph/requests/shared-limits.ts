import type { Clock } from '../clock.ts';
import { Limits } from './limits.ts';

/** By clock: what runs by another time counts for itself. Limits go when no connection has them any more. */
const byClock = new WeakMap<Clock, Map<string, WeakRef<Limits>>>();

/**
 * What an application may ask in a tenant, for all connections of this process together: runs of several jobs, restores and lists of one organization
 * draw from the same budgets, and a pause that one of them was given applies to all. Of several numbers of licences the largest counts: who does not
 * know it gives the smallest.
 */
export function sharedLimits(licences: number, clock: Clock, application: readonly string[]): Limits {
  const time = clock.of ?? clock;
  const known = byClock.get(time) ?? new Map<string, WeakRef<Limits>>();
  byClock.set(time, known);
  const key = JSON.stringify(application);
  const shared = known.get(key)?.deref();
  shared?.allowLicences(licences);
  if (shared !== undefined) return shared;
  const limits = new Limits(licences, time);
  known.set(key, new WeakRef(limits));
  for (const [old, gone] of known) if (gone.deref() === undefined) known.delete(old);
  return limits;
}
