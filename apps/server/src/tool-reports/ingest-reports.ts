import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows } from '../foundation/database.ts';
import { notFound, type Refusal } from '../foundation/errors.ts';
import { ingestInTransaction } from '../ingest/ingest-runs.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { readTokens, touchTokens } from './intake-tokens.ts';
import { type ReportedExecution, readReportedExecutions, WrittenExecutions } from './reported-executions.ts';
import { ensureReportedJobs, type ReportedJob } from './reported-jobs.ts';
import type { ReportedRun } from './reported-run.ts';
import { storeReporters } from './reporters.ts';
import type { WaitingReport } from './waiting-report.ts';

/** The outcome of a report: its executions, or why it is refused. */
export type ReportOutcome = ReportedExecution[] | Refusal;

/** Time within which a report is recognized when it is sent again because its answer was lost. */
const SENT_AGAIN_DAYS = 7;

/** A checked run that the ingest rejected nevertheless. */
export class RejectedRun extends Error {}

/**
 * Stores the reports of a provider in one transaction and returns their outcomes in the same order. Each report is stored completely
 * or not at all. One with a removed token, or one that would make too many jobs, is refused without affecting the others. A report
 * that was stored before changes nothing and gets the same answer.
 */
export function ingestReports(
  database: Pool,
  providerId: number,
  reports: readonly WaitingReport[],
): Promise<ReportOutcome[]> {
  const now = reports.reduce((latest, { at }) => (at > latest ? at : latest), new Date(0));
  return ingestInTransaction(database, providerId, now, async (connection, ingest) => {
    const refused = new Map<WaitingReport, Refusal>();
    const accepted = await withToken(connection, providerId, reports, refused);
    const { jobs, jobStates } = await ensureReportedJobs(connection, providerId, accepted, refused);
    await storeReporters(
      connection,
      providerId,
      accepted.filter((report) => !refused.has(report)),
      jobs,
    );
    const runs = reports.flatMap((report) => (refused.has(report) ? [] : runsOf(report, jobs)));
    const known = await knownByWhatWasMade(connection, providerId, runs);
    const written = new WrittenExecutions();
    const news = runs.filter((run) => !known.has(run));
    const [first] = (await ingest(news.map(executionOf), { jobStates, onChanges: (changes) => written.note(changes) }))
      .refused;
    if (first !== undefined) throw new RejectedRun(`A checked run was rejected: ${first.reason}.`);
    const read = await readReportedExecutions(
      connection,
      providerId,
      runs.filter((run) => written.of(run) === null),
    );
    const ofReport = Map.groupBy(runs, (run) => run.report);
    return reports.map(
      (report) =>
        refused.get(report) ?? (ofReport.get(report) ?? []).flatMap((run) => written.of(run) ?? read.get(run) ?? []),
    );
  });
}

/** Records the use of tokens, returns the reports whose token still exists, and refuses the others. */
async function withToken(
  connection: Connection,
  providerId: number,
  reports: readonly WaitingReport[],
  refused: Map<WaitingReport, Refusal>,
): Promise<WaitingReport[]> {
  const keyOf = ({ tokenHash }: WaitingReport) => tokenHash.toString('base64');
  const usedAt = new Map<string, WaitingReport>();
  for (const report of reports)
    if (!((usedAt.get(keyOf(report))?.at ?? 0) > report.at)) usedAt.set(keyOf(report), report);
  const tokens = await readTokens(connection, providerId, [...usedAt.values()]);
  await touchTokens(connection, tokens);
  const known = new Set(tokens.map((token) => token.tokenHash.toString('base64')));
  for (const report of reports) if (!known.has(keyOf(report))) refused.set(report, notFound('intake token'));
  return reports.filter((report) => !refused.has(report));
}

interface RunOfReport {
  report: WaitingReport;
  run: ReportedRun;
  job: ReportedJob;
  startedAt: Date;
}

function runsOf(
  report: WaitingReport,
  jobs: ReadonlyMap<WaitingReport, ReadonlyMap<string, ReportedJob>>,
): RunOfReport[] {
  return report.runs.flatMap((run) => {
    const job = jobs.get(report)?.get(run.jobName);
    return job === undefined ? [] : [{ report, run, job, startedAt: run.startedAt }];
  });
}

function executionOf({ run, job }: RunOfReport) {
  return { ...run, jobInstanceUid: job.jobInstanceUid };
}

/** Finds runs that were reported before without a start, by the id of what the tool created. */
async function knownByWhatWasMade(
  connection: Connection,
  providerId: number,
  runs: readonly RunOfReport[],
): Promise<Set<RunOfReport>> {
  const made = runs.filter(({ run: { madeId, message } }) => madeId !== null && message != null);
  if (made.length === 0) return new Set();
  const records = made.map(({ report, run, job }, place) => ({
    place,
    job: job.jobInstanceUid,
    message: run.message,
    now: report.at,
  }));
  const found = await rows<{ place: number }>(
    connection,
    sql`select k.place from json_to_recordset(${JSON.stringify(records)}::json) as k (place int, job uuid, message text, now timestamptz)
        where exists (select from ${JOB_EXECUTIONS} e where e.provider_id = ${providerId} and e.job_instance_uid = k.job
          and e.started_at > k.now - make_interval(days => ${SENT_AGAIN_DAYS}) and e.message = k.message)`,
  );
  return new Set(found.flatMap(({ place }) => made[place] ?? []));
}
