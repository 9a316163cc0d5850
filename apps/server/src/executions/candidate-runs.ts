import type { Result } from '@keepwatch/contract/runs/values';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../foundation/database.ts';
import { SAME_START_MS_MAX } from '../runs/attempt.ts';
import { JOB_EXECUTION_LOGS, JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { instantText, millisecondsOf, uuidArray } from '../runs/rows/column-arrays.ts';

/** The fields of an attempt by which another report of it is recognized. */
export interface KnownAttempt {
  startedAtMs: number;
  result: Result;
}

/** An attempt of one of the candidates of a shared job. */
export interface CandidateAttempt extends KnownAttempt {
  sharedJob: string;
  jobInstanceUid: string;
}

/** How long before its last attempt a run with retries may have begun. */
const RUN_MS_MAX = 24 * 3_600_000;

/** Reads the stored attempts of the candidates of shared jobs in a time range. */
export function readCandidateAttempts(
  connection: Connection,
  providerId: number,
  sharedJobs: readonly string[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<CandidateAttempt[]> {
  const from = instantText(fromMs - SAME_START_MS_MAX);
  const to = instantText(toMs + SAME_START_MS_MAX);
  return rows<CandidateAttempt>(
    connection,
    sql`select j.shared_job as "sharedJob", j.job_instance_uid as "jobInstanceUid", ${millisecondsOf('a.at')} as "startedAtMs", a.result
        from ${JOBS} j
        cross join lateral (select n.started_at, n.id, n.result, n.attempts, n.provider_id from ${JOB_EXECUTIONS} n
          where n.provider_id = j.provider_id and n.job_instance_uid = j.job_instance_uid and n.result <> 'DidntRun'
            and n.started_at >= ${instantText(fromMs - RUN_MS_MAX)}::timestamptz and n.started_at <= ${to}::timestamptz offset 0) e
        left join ${JOB_EXECUTION_LOGS} l on e.attempts > 1 and l.provider_id = e.provider_id and l.started_at = e.started_at and l.execution_id = e.id
        cross join lateral (
          select e.started_at as at, e.result::text as result where e.attempts = 1
          union all select (t->>'startedAt')::timestamptz, t->>'result' from jsonb_array_elements(l.attempts) t) a
        where j.provider_id = ${providerId} and j.shared_job = any(${uuidArray(sharedJobs)})
          and a.at >= ${from}::timestamptz and a.at <= ${to}::timestamptz`,
  );
}

/**
 * Pairs runs known by name alone with the attempts that are the same run: both start within a minute of each other and have the same
 * result, or the attempt was still running when it was read. Each attempt matches at most one run; closer starts are paired first.
 */
export function pairSameRuns<Run extends KnownAttempt, Known extends KnownAttempt>(
  runs: readonly Run[],
  attempts: readonly Known[],
): Map<Run, Known> {
  const pairs = runs.flatMap((run) =>
    attempts.filter((attempt) => isSameRun(run, attempt)).map((attempt) => ({ run, attempt })),
  );
  pairs.sort((one, other) => distance(one) - distance(other));
  const paired = new Map<Run, Known>();
  const used = new Set<Known>();
  for (const { run, attempt } of pairs) {
    if (paired.has(run) || used.has(attempt)) continue;
    paired.set(run, attempt);
    used.add(attempt);
  }
  return paired;
}

function isSameRun(run: KnownAttempt, attempt: KnownAttempt): boolean {
  const isNear = Math.abs(run.startedAtMs - attempt.startedAtMs) <= SAME_START_MS_MAX;
  return isNear && (attempt.result === run.result || attempt.result === 'Running');
}

/** Prefers an attempt with the same result to one that was still running. */
function distance({ run, attempt }: { run: KnownAttempt; attempt: KnownAttempt }): number {
  const apartMs = Math.abs(run.startedAtMs - attempt.startedAtMs);
  return attempt.result === run.result ? apartMs : apartMs + 2 * SAME_START_MS_MAX;
}
