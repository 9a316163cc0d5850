import type { Connection } from '../foundation/database.ts';
import { type Attempt, isEqualAttempt, withNewerReport } from '../runs/attempt.ts';
import { type Baseline, baselineOf, KNOWN_RUNS_MAX, NO_RUNS, runsBefore } from '../runs/baseline.ts';
import { executionId } from '../runs/execution-id.ts';
import { type JobSpan, readExecutions, readKnownRuns, readNeighbours } from '../runs/rows/execution-rows.ts';
import type { JobState } from '../schedules/job-state.ts';
import { changesOf, type JobChanges } from './run-changes.ts';

/** What is known of jobs of one provider. */
interface Known {
  providerId: number;
  jobStates: ReadonlyMap<string, JobState>;
  /** `false`: runs that the job state does not include are searched for as well. */
  isStateTrusted: boolean;
}

/** Returns the changes of jobs whose reported attempts are between known ones. */
export async function changesAround(
  connection: Connection,
  { providerId, jobStates, isStateTrusted }: Known,
  reported: ReadonlyMap<string, readonly Attempt[]>,
): Promise<JobChanges[]> {
  const news = await withoutRepetitions(connection, providerId, reported);
  const spans = [...news].map(([jobInstanceUid, attempts]) => spanOf(jobInstanceUid, attempts));
  const neighbours = await readNeighbours(connection, providerId, spans);
  const jobs = spans.flatMap((span) => {
    const jobState = jobStates.get(span.jobInstanceUid);
    const stored = neighbours.get(span.jobInstanceUid) ?? [];
    const fromMs = Math.min(span.fromMs, stored[0]?.attempts[0].startedAtMs ?? span.fromMs);
    if (jobState === undefined) return [];
    const before = isStateTrusted ? knownBefore(jobState, fromMs) : null;
    return [{ span: { ...span, fromMs }, jobState, stored, before }];
  });
  const forgotten = jobs.filter((job) => job.before === null).map((job) => job.span);
  const known = await readKnownRuns(connection, providerId, forgotten);
  return jobs.map(({ span, jobState, stored, before }) => {
    const reportedOfJob = news.get(span.jobInstanceUid) ?? [];
    const read = known.get(span.jobInstanceUid);
    return changesOf({
      providerId,
      jobState,
      reported: reportedOfJob,
      stored,
      before: before ?? (read === undefined ? NO_RUNS : baselineOf(read)),
    });
  });
}

/** Drops attempts that are stored exactly so: a source reports them again at every sync. */
async function withoutRepetitions(
  connection: Connection,
  providerId: number,
  reported: ReadonlyMap<string, readonly Attempt[]>,
): Promise<Map<string, readonly Attempt[]>> {
  const idOf = (uid: string, attempt: Attempt) => executionId(providerId, uid, new Date(attempt.startedAtMs));
  const keys = [...reported].flatMap(([uid, attempts]) =>
    attempts.map((attempt) => ({ id: idOf(uid, attempt), startedAtMs: attempt.startedAtMs })),
  );
  const stored = await readExecutions(connection, providerId, keys);
  const isNews = (uid: string) => (attempt: Attempt) => {
    const first = stored.get(idOf(uid, attempt))?.attempts[0];
    return first === undefined || !isEqualAttempt(first, withNewerReport(first, attempt));
  };
  return new Map(
    [...reported]
      .map(([uid, attempts]) => [uid, attempts.filter(isNews(uid))] as const)
      .filter(([, attempts]) => attempts.length > 0),
  );
}

/** Starts that differ by less than a minute may be the same. */
const SPAN_MARGIN_MS = 60_000;

function spanOf(jobInstanceUid: string, attempts: readonly Attempt[]): JobSpan {
  const starts = attempts.map((attempt) => attempt.startedAtMs);
  return {
    jobInstanceUid,
    fromMs: starts.reduce((least, start) => Math.min(least, start)) - SPAN_MARGIN_MS,
    toMs: starts.reduce((most, start) => Math.max(most, start)) + SPAN_MARGIN_MS,
  };
}

/**
 * Returns the successful runs before an instant, as far as the baseline has all of them; `null`: they have to be read.
 */
function knownBefore({ baseline }: JobState, fromMs: number): Baseline | null {
  const before = runsBefore(baseline, fromMs);
  return before.count === baseline.count || baseline.count < KNOWN_RUNS_MAX ? before : null;
}
