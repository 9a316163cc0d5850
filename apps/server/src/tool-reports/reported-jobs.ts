import type { DataSourceGroup } from '@keepwatch/contract/runs/values';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row, rows } from '../foundation/database.ts';
import { conflict, type Refusal } from '../foundation/errors.ts';
import { insert } from '../foundation/table-writes.ts';
import { idFrom } from '../runs/execution-id.ts';
import { JOBS } from '../runs/jobs.ts';
import { uuidArray } from '../runs/rows/column-arrays.ts';
import { SOURCES } from '../runs/source-horizon.ts';
import { type JobState, readJobStates } from '../schedules/job-state.ts';
import { INTAKE_KIND } from '../sources/stored-source.ts';
import type { WaitingReport } from './waiting-report.ts';

/** Maximum number of jobs that reports may create for one company, for senders that use a new name each time. */
export const REPORTED_JOBS_MAX = 500;

export interface ReportedJob {
  jobInstanceUid: string;
  name: string;
  sourceGroup: DataSourceGroup;
}

/** A job that a report names. */
interface NamedJob extends ReportedJob {
  companyId: string;
  externalId: string;
  firstSeenAt: Date;
}

/**
 * Returns the jobs of each report by name, and creates new ones in the group that is named first. Also returns the job states of stored
 * ones, so that they are read only once. A report that would create too many jobs for its company is refused with 409 and creates
 * none. The caller holds the lock of executions: otherwise concurrent reports could exceed the limit or deadlock.
 */
export async function ensureReportedJobs(
  connection: Connection,
  providerId: number,
  reports: readonly WaitingReport[],
  refused: Map<WaitingReport, Refusal>,
): Promise<{ jobStates: Map<string, JobState>; jobs: Map<WaitingReport, Map<string, ReportedJob>> }> {
  const sourceId = idFrom('source', String(providerId), INTAKE_KIND);
  const named = new Map(reports.map((report) => [report, jobsNamedIn(report, sourceId)]));
  const uids = [...named.values()].flatMap((jobs) => jobs.map((job) => job.jobInstanceUid));
  const jobStates = await readJobStates(connection, providerId, [...new Set(uids)]);
  const known = new Map<string, Pick<ReportedJob, 'sourceGroup'>>(jobStates);
  const isMissing = (job: NamedJob) => !known.has(job.jobInstanceUid);
  if (uids.some((uid) => !known.has(uid))) {
    const companies = new Set(
      [...named.values()]
        .flat()
        .filter(isMissing)
        .map((job) => job.companyId),
    );
    const counts = await countJobs(connection, providerId, sourceId, [...companies]);
    const made: NamedJob[] = [];
    for (const [report, jobs] of named) {
      const missing = jobs.filter(isMissing);
      const { companyId } = report.owner;
      const count = counts.get(companyId) ?? 0;
      if (missing.length > 0 && count + missing.length > REPORTED_JOBS_MAX) {
        refused.set(report, tooManyJobs(count));
        continue;
      }
      counts.set(companyId, count + missing.length);
      for (const job of missing) known.set(job.jobInstanceUid, job);
      made.push(...missing);
    }
    await insertJobs(connection, providerId, sourceId, made);
  }
  const ofReport = (jobs: readonly NamedJob[]) =>
    new Map(
      jobs.map((job) => [
        job.name,
        { ...job, sourceGroup: known.get(job.jobInstanceUid)?.sourceGroup ?? job.sourceGroup },
      ]),
    );
  return { jobStates, jobs: new Map([...named].map(([report, jobs]) => [report, ofReport(jobs)])) };
}

/** Returns each named job once, in the group of its first run. */
function jobsNamedIn({ owner: { companyId }, runs, at }: WaitingReport, sourceId: string): NamedJob[] {
  const jobs = new Map<string, NamedJob>();
  for (const { jobName: name, sourceGroup } of runs) {
    if (jobs.has(name)) continue;
    const externalId = `${companyId}/${name}`;
    jobs.set(name, {
      jobInstanceUid: idFrom(sourceId, externalId),
      name,
      sourceGroup,
      companyId,
      externalId,
      firstSeenAt: at,
    });
  }
  return [...jobs.values()];
}

/** Counts the jobs that reports have created for each company. */
async function countJobs(
  connection: Connection,
  providerId: number,
  sourceId: string,
  companyIds: readonly string[],
): Promise<Map<string, number>> {
  const counted = await rows<{ companyId: string; count: number }>(
    connection,
    sql`select company_id as "companyId", count(*) as count from ${JOBS}
        where provider_id = ${providerId} and company_id = any(${uuidArray(companyIds)}) and source_id = ${sourceId} group by company_id`,
  );
  return new Map(counted.map(({ companyId, count }) => [companyId, count]));
}

function tooManyJobs(count: number): Refusal {
  return conflict(
    `There are ${count} jobs that tools report for this company, and ${REPORTED_JOBS_MAX} is the most there can be. Send the same job name at every run.`,
  );
}

async function insertJobs(
  connection: Connection,
  providerId: number,
  sourceId: string,
  jobs: readonly NamedJob[],
): Promise<void> {
  if (jobs.length === 0) return;
  await ensureIntakeSource(connection, providerId, sourceId);
  await execute(
    connection,
    sql`insert into ${JOBS} (provider_id, source_id, company_id, job_instance_uid, external_id, source_group, name, first_seen_at)
        select ${providerId}, ${sourceId}, k."companyId", k."jobInstanceUid", k."externalId", k."sourceGroup", k.name, k."firstSeenAt"
        from json_to_recordset(${JSON.stringify(jobs)}::json) as k ("companyId" uuid, "jobInstanceUid" uuid, "externalId" text,
          "sourceGroup" data_source_group, name text, "firstSeenAt" timestamptz)`,
  );
}

/** Inserts the source of all jobs that tools report to a provider, if it is missing. */
async function ensureIntakeSource(connection: Connection, providerId: number, id: string): Promise<void> {
  const found = await row(connection, sql`select from ${SOURCES} where provider_id = ${providerId} and id = ${id}`);
  if (found !== null) return;
  const intake = { providerId, id, kind: INTAKE_KIND, name: 'Reported by tools' };
  await insert(connection, SOURCES, intake, sql`on conflict do nothing`);
}
