/** An instant of one job. Ids of jobs are unique in their organization alone. */
export interface JobExpiry {
  organizationId: string;
  job: string;
  before: Date;
}

/** The instants before which restore points, and the versions that they alone need, are gone: of some jobs, and of all others. */
export interface Expiry {
  /** Of jobs that are not named; `null`: nothing of theirs goes. */
  before: Date | null;
  jobs: readonly JobExpiry[];
}

/** One instant for all jobs. */
export function expiryOf(before: Date | Expiry): Expiry {
  return before instanceof Date ? { before, jobs: [] } : before;
}

/** The earlier of two expiries of the same jobs, job by job. */
export function earlierOf(one: Expiry, other: Expiry): Expiry {
  const jobs = one.jobs.map(({ organizationId, job, before }) => {
    const same = other.jobs.find((named) => named.organizationId === organizationId && named.job === job);
    return { organizationId, job, before: earlier(before, same?.before ?? other.before) };
  });
  return { before: one.before === null ? null : earlier(one.before, other.before), jobs };
}

/** Instants by organization and the id of the job. */
export function byJob(jobs: readonly JobExpiry[]): Record<string, Record<string, Date>> {
  const instants = new Map<string, Map<string, Date>>();
  for (const { organizationId, job, before } of jobs)
    instants.set(organizationId, (instants.get(organizationId) ?? new Map()).set(job, before));
  // Entries, as `__proto__` would be lost by assigning it.
  return Object.fromEntries([...instants].map(([id, ofJobs]) => [id, Object.fromEntries(ofJobs)]));
}

function earlier(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}
