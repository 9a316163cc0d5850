import type { SourceExecution, SourceJob } from '../../ports/backup-source.ts';
import { type JobIndex, jobsOfName } from '../../ports/jobs-of-name.ts';
import type { HeatmapSession } from '../heatmap.ts';
import { doKindsAgree } from './job-kinds.ts';

export interface JobMatch {
  /** Jobs that a session may be of: those of exactly its name, else those of nearly its name. */
  candidates: readonly SourceJob[];
  /** The one it is of; `null` when several may be, or none. */
  job: SourceJob | null;
  match: SourceExecution['match'];
}

/** Finds the job of a session that says a name and an organization only. Several jobs of one name are never guessed among. */
export function matchJob(index: JobIndex, session: HeatmapSession): JobMatch {
  const candidates = jobsOfName(index, session.companyExternalId, session.jobName);
  const [job] = candidates;
  if (!job || candidates.length > 1) return { candidates, job: null, match: 'none' };
  const isCertain = job.name === session.jobName && doKindsAgree(job, session);
  return { candidates, job, match: isCertain ? 'exact' : 'doubtful' };
}
