import { byJob, type Expiry } from '../../../model/expiry.ts';

/** The instant before which restore points of the job of a run `r` are gone, of the values `$2` and `$3`. */
export const BEFORE_OF = beforeOf('r');

export function beforeOf(run: string): string {
  return `coalesce(($3::jsonb -> ${run}.organization ->> ${run}.job)::timestamptz, $2::timestamptz)`;
}

/** Before everything that was ever backed up. */
const NEVER = new Date(0);

/** An expiry as the values `$2` and `$3` of a query. */
export function expiryValues({ before, jobs }: Expiry): [before: Date, jobs: string] {
  return [before ?? NEVER, JSON.stringify(byJob(jobs))];
}

/** The jobs of a value that `expiryValues` made, one a row, and their instants. */
export function jobInstants(value: '$2' | '$3'): string {
  return `(SELECT o.key AS organization, j.key AS job, j.value::timestamptz AS before
    FROM jsonb_each(${value}::jsonb) o, jsonb_each_text(o.value) j)`;
}
