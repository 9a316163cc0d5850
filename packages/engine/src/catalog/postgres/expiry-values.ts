import type { Expiry } from '../../model/expiry.ts';

/** The instant before which restore points of the job of a run `r` are gone, of the values `$2` and `$3`. */
export const BEFORE_OF = beforeOf('r');

export function beforeOf(run: string): string {
  return `coalesce(($3::jsonb ->> ${run}.job)::timestamptz, $2::timestamptz)`;
}

/** Before everything that was ever backed up. */
const NEVER = new Date(0);

/** An expiry as the values `$2` and `$3` of a query. */
export function expiryValues({ before, jobs }: Expiry): [before: Date, jobs: string] {
  return [before ?? NEVER, JSON.stringify(Object.fromEntries(jobs))];
}
