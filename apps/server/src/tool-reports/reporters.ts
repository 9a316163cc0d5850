import { TEST_TOOL } from '@keepwatch/contract/tool-reports/tool-reports';
import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import { JOBS } from '../runs/jobs.ts';
import type { ReportedJob } from './reported-jobs.ts';
import { intakeTokens } from './tables.ts';
import type { WaitingReport } from './waiting-report.ts';

type JobsOfReports = ReadonlyMap<WaitingReport, ReadonlyMap<string, ReportedJob>>;

/** What a job (alias `j`) is reported by, after a report by `k.tool`: the same rules as `toolAfter`. */
const TOOL_AFTER = sql`case
  when k.tool = ${TEST_TOOL} and j.tool is distinct from ${TEST_TOOL} and j.last_execution_id is not null then j.tool
  when k.tool is null and j.tool = ${TEST_TOOL} then null
  else coalesce(k.tool, j.tool) end`;

/**
 * Records which tool reports a job and with which token. A report that does not name its tool leaves the name that is known. A job with a
 * single backup is none of tests any more, in whatever order they came: what tests are is removed with all its runs.
 */
export async function storeReporters(
  connection: Connection,
  providerId: number,
  reports: readonly WaitingReport[],
  jobs: JobsOfReports,
): Promise<void> {
  const reporters = reportersOf(reports, jobs);
  if (reporters.size === 0) return;
  const records = [...reporters].map(([job, reporter]) => ({ job, ...reporter }));
  await execute(
    connection,
    sql`update ${JOBS} j set tool = ${TOOL_AFTER}, intake_token_id = t.id
        from json_to_recordset(${JSON.stringify(records)}::json) as k (job uuid, tool text, token text)
        join ${intakeTokens} t on t.token_hash = decode(k.token, 'base64')
        where j.provider_id = ${providerId} and j.job_instance_uid = k.job
          and (j.intake_token_id is distinct from t.id or j.tool is distinct from ${TOOL_AFTER})`,
  );
}

interface Reporter {
  tool: string | null;
  token: string;
}

/** The last report of a job that names its tool, and the token of the last one. */
function reportersOf(reports: readonly WaitingReport[], jobs: JobsOfReports): ReadonlyMap<string, Reporter> {
  const reporters = new Map<string, Reporter>();
  for (const report of reports) {
    const token = report.tokenHash.toString('base64');
    for (const { jobName, tool } of report.runs) {
      const uid = jobs.get(report)?.get(jobName)?.jobInstanceUid;
      if (uid !== undefined) reporters.set(uid, { tool: toolAfter(reporters.get(uid)?.tool, tool), token });
    }
  }
  return reporters;
}

/** The tool of a job by the report before (`undefined`: there is none) and this one. */
function toolAfter(before: string | null | undefined, tool: string | null): string | null {
  if (before === undefined) return tool;
  if (tool === TEST_TOOL) return before;
  return tool ?? (before === TEST_TOOL ? null : before);
}
