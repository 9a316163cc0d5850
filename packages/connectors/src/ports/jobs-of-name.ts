import type { SourceJob } from './backup-source.ts';

/** Jobs by organization and name, as they are written and with case and blanks folded. */
export interface JobIndex {
  exact: ReadonlyMap<string, readonly SourceJob[]>;
  folded: ReadonlyMap<string, readonly SourceJob[]>;
}

export function indexJobs(jobs: readonly SourceJob[]): JobIndex {
  return {
    exact: Map.groupBy(jobs, (job) => keyOf(job.companyExternalId, job.name)),
    folded: Map.groupBy(jobs, (job) => keyOf(job.companyExternalId, fold(job.name))),
  };
}

/** The jobs of an organization that a name may mean: those of exactly that name, else those of nearly that name. */
export function jobsOfName(index: JobIndex, companyExternalId: string | null, name: string): readonly SourceJob[] {
  const exact = index.exact.get(keyOf(companyExternalId, name)) ?? [];
  return exact.length > 0 ? exact : (index.folded.get(keyOf(companyExternalId, fold(name))) ?? []);
}

function keyOf(companyExternalId: string | null, name: string): string {
  // Ids are compared without case: a vendor may write the same one in capitals and in small letters.
  return JSON.stringify([companyExternalId?.toLowerCase() ?? null, name]);
}

function fold(name: string): string {
  return name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
