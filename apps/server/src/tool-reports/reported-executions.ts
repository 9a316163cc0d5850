import type { reportRun } from '@keepwatch/contract/tool-reports/tool-reports';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../foundation/database.ts';
import type { JobChanges } from '../ingest/run-changes.ts';
import { SAME_START_MS_MAX } from '../runs/attempt.ts';
import { lastAttempt } from '../runs/retries.ts';
import type { Execution } from '../runs/rows/execution-rows.ts';
import type { ReportedJob } from './reported-jobs.ts';

/** The execution of a reported run, as in the answer to its report. */
export type ReportedExecution = CallReply<typeof reportRun>['data'][number];

/** A reported run, identified by job and start. */
export interface ReportedStart {
  job: ReportedJob;
  startedAt: Date;
}

/** The executions written in a batch, by the starts of their attempts. They spare most runs a database query. */
export class WrittenExecutions {
  readonly #byJob = new Map<string, Map<number, Execution>>();

  note(changes: readonly JobChanges[]): void {
    for (const { added, changed } of changes) {
      for (const execution of added) this.#note(execution);
      for (const { after } of changed) this.#note(after);
    }
  }

  #note(execution: Execution): void {
    const ofJob = this.#byJob.get(execution.jobInstanceUid) ?? new Map<number, Execution>();
    for (const { startedAtMs } of execution.attempts) ofJob.set(startedAtMs, execution);
    this.#byJob.set(execution.jobInstanceUid, ofJob);
  }

  of({ job, startedAt }: ReportedStart): ReportedExecution | null {
    const found = this.#byJob.get(job.jobInstanceUid)?.get(startedAt.getTime());
    return found === undefined ? null : reportedExecution(job, found.id, lastAttempt(found.attempts).result);
  }
}

function reportedExecution(
  { jobInstanceUid, name, sourceGroup }: ReportedJob,
  id: string,
  result: ReportedExecution['result'],
): ReportedExecution {
  return { _id: id, result, jobInstanceUid, jobName: name, sourceGroup };
}

/**
 * Reads the executions that reported runs have become, or become part of, by run. The stored start may differ by some seconds.
 */
export async function readReportedExecutions<R extends ReportedStart>(
  connection: Connection,
  providerId: number,
  reported: readonly R[],
): Promise<Map<R, ReportedExecution>> {
  if (reported.length === 0) return new Map();
  const records = reported.map(({ startedAt, job: { jobInstanceUid } }, place) => ({
    place,
    at: startedAt,
    jobInstanceUid,
  }));
  const ofJob = sql`job_executions e where e.provider_id = ${providerId} and e.job_instance_uid = k."jobInstanceUid"
    and e.result <> 'DidntRun'`;
  const found = await rows<{ place: number; id: string; result: ReportedExecution['result'] }>(
    connection,
    sql`select k.place, e.id, e.result
        from json_to_recordset(${JSON.stringify(records)}::json) as k (place int, at timestamptz, "jobInstanceUid" uuid)
        cross join lateral (
          (select e.id, e.result, k.at - e.started_at as apart from ${ofJob} and e.started_at <= k.at order by e.started_at desc limit 1)
          union all
          (select e.id, e.result, e.started_at - k.at from ${ofJob} and e.started_at > k.at
            and e.started_at < k.at + make_interval(secs => ${SAME_START_MS_MAX / 1_000}) order by e.started_at limit 1)
          order by apart limit 1) e`,
  );
  const executions = new Map<R, ReportedExecution>();
  for (const { place, id, result } of found) {
    const run = reported[place];
    if (run !== undefined) executions.set(run, reportedExecution(run.job, id, result));
  }
  return executions;
}
