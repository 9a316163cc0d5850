import type { reportRun } from '@keepwatch/contract/monitoring/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { type Connection, type Pool, row, rows } from '../../foundation/database.ts';
import { invalid } from '../../foundation/errors.ts';
import { SAME_START_MS_MAX } from '../executions/attempt.ts';
import { cleanText } from '../executions/execution-log.ts';
import { impossibility, REPORTED_AHEAD_MS_MAX } from '../executions/new-execution.ts';
import { takeTogether } from '../executions/take-executions.ts';
import type { TokenOwner } from './intake-tokens.ts';
import { keepReportedJobs, type ReportedJob } from './reported-jobs.ts';
import type { ReportedRun } from './reported-run.ts';

type ReportedExecution = CallReply<typeof reportRun>['data'][number];

/** A report that is sent again, because the first answer was lost, comes within this. */
const SENT_AGAIN_DAYS = 7;

/**
 * Takes the runs of a report, all or none. Jobs are known by company and name, and made when they are new, together with
 * their runs or not at all. A report that was taken before changes nothing and gets the same answer. Throws 422 for a run that
 * cannot be true.
 */
export async function takeReport(
  database: Pool,
  owner: TokenOwner,
  runs: readonly ReportedRun[],
  now: Date,
): Promise<ReportedExecution[]> {
  const executions = runs.map((run) => ({ ...run, jobInstanceUid: '' }));
  const errors = executions.flatMap((execution, index) => {
    const reason = impossibility(execution, now, REPORTED_AHEAD_MS_MAX);
    return reason === null
      ? []
      : [{ path: runs.length === 1 ? 'body' : `body.${index}`, message: `cannot be: ${reason}` }];
  });
  if (errors.length > 0) throw invalid(errors.slice(0, 20));
  const wanted = runs.map((run) => ({ name: cleanText(run.jobName, 200), sourceGroup: run.sourceGroup }));
  const taken = await takeTogether(database, owner.providerId, now, async (connection, take) => {
    const jobs = await keepReportedJobs(connection, owner, wanted, now);
    const reported = runs.flatMap((run, index) => {
      const job = jobs.get(wanted[index]?.name ?? '');
      return job === undefined ? [] : [{ run, job }];
    });
    const news = [];
    for (const { run, job } of reported)
      if (!(await isTakenBefore(connection, owner, job, run, now)))
        news.push({ ...run, jobInstanceUid: job.jobInstanceUid });
    const [first] = (await take(news)).refused;
    if (first !== undefined) throw new Error(`A checked run was refused: ${first.reason}.`);
    return reported;
  });
  return executionsOf(database, owner, taken);
}

/** Where a report carries no start, it is known again by what its tool made. */
async function isTakenBefore(
  connection: Connection,
  { providerId }: TokenOwner,
  { jobInstanceUid }: ReportedJob,
  { madeId, message }: ReportedRun,
  now: Date,
): Promise<boolean> {
  if (madeId === null || message == null) return false;
  const found = await row(
    connection,
    sql`select from job_executions where provider_id = ${providerId} and job_instance_uid = ${jobInstanceUid}
          and started_at > ${now}::timestamptz - make_interval(days => ${SENT_AGAIN_DAYS}) and message = ${message} limit 1`,
  );
  return found !== null;
}

/**
 * The executions that runs have become, or become part of, in their order. A run that was told before with a start some seconds later
 * kept that one.
 */
function executionsOf(
  database: Pool,
  { providerId }: TokenOwner,
  reported: readonly { run: ReportedRun; job: ReportedJob }[],
): Promise<ReportedExecution[]> {
  const records = reported.map(({ run, job }, place) => ({ ...job, place, at: run.startedAt.toISOString() }));
  const ofJob = sql`job_executions e where e.provider_id = ${providerId} and e.job_instance_uid = k."jobInstanceUid"
    and e.result <> 'DidntRun'`;
  return rows<ReportedExecution>(
    database,
    sql`select e.id as "_id", e.result, k."jobInstanceUid", k.name as "jobName", k."sourceGroup"
        from json_to_recordset(${JSON.stringify(records)}::json) as k (place int, at timestamptz, "jobInstanceUid" uuid, name text, "sourceGroup" text)
        cross join lateral (
          (select e.id, e.result, k.at - e.started_at as apart from ${ofJob} and e.started_at <= k.at order by e.started_at desc limit 1)
          union all
          (select e.id, e.result, e.started_at - k.at from ${ofJob} and e.started_at > k.at
            and e.started_at < k.at + make_interval(secs => ${SAME_START_MS_MAX / 1_000}) order by e.started_at limit 1)
          order by apart limit 1) e
        order by k.place`,
  );
}
