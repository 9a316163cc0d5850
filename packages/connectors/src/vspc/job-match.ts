import type { SourceExecution, SourceJob } from '../ports/backup-source.ts';
import type { HeatmapSession } from './heatmap.ts';
import { doKindsAgree } from './job-kinds.ts';

/** Jobs by organization and name, as they are written and with case and blanks folded. */
export interface JobIndex {
  exact: ReadonlyMap<string, readonly SourceJob[]>;
  folded: ReadonlyMap<string, readonly SourceJob[]>;
}

export interface JobMatch {
  /** Jobs that a session may be of: those of exactly its name, else those of nearly its name. */
  candidates: readonly SourceJob[];
  /** The one it is of; `null` when several may be, or none. */
  job: SourceJob | null;
  match: SourceExecution['match'];
}

export function indexJobs(jobs: readonly SourceJob[]): JobIndex {
  return {
    exact: Map.groupBy(jobs, (job) => keyOf(job.companyExternalId, job.name)),
    folded: Map.groupBy(jobs, (job) => keyOf(job.companyExternalId, fold(job.name))),
  };
}

/** Finds the job of a session that says a name and an organization only. Several jobs of one name are never guessed among. */
export function matchJob(index: JobIndex, session: HeatmapSession): JobMatch {
  const exact = index.exact.get(keyOf(session.companyExternalId, session.jobName)) ?? [];
  const candidates =
    exact.length > 0 ? exact : (index.folded.get(keyOf(session.companyExternalId, fold(session.jobName))) ?? []);
  const [job] = candidates;
  if (!job || candidates.length > 1) return { candidates, job: null, match: 'none' };
  const isCertain = exact.length === 1 && doKindsAgree(job, session);
  return { candidates, job, match: isCertain ? 'exact' : 'doubtful' };
}

function keyOf(companyExternalId: string | null, name: string): string {
  // Ids are compared without case: the vendor writes the same one in capitals and in small letters.
  return JSON.stringify([companyExternalId?.toLowerCase() ?? null, name]);
}

function fold(name: string): string {
  return name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
