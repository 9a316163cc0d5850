/** The instants before which restore points, and the versions that they alone need, are gone: of some jobs, and of all others. */
export interface Expiry {
  /** Of jobs that are not named; `null`: nothing of theirs goes. */
  before: Date | null;
  jobs: ReadonlyMap<string, Date>;
}

/** One instant for all jobs. */
export function expiryOf(before: Date | Expiry): Expiry {
  return before instanceof Date ? { before, jobs: new Map() } : before;
}

/** The earlier of two expiries of the same jobs, job by job. */
export function earlierOf(one: Expiry, other: Expiry): Expiry {
  const jobs = [...one.jobs].map(
    ([job, before]) => [job, earlier(before, other.jobs.get(job) ?? other.before)] as const,
  );
  return { before: one.before === null ? null : earlier(one.before, other.before), jobs: new Map(jobs) };
}

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}
