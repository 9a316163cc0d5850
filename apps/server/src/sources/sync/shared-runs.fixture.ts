import type { SourceExecution } from '@keepwatch/connectors/ports/backup-source';
import { listCompanies } from '@keepwatch/contract/companies/companies';
import { exportJobExecutions, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getSpreadsheetReport } from '@keepwatch/contract/insights/calendar';
import { getHistoryChart, getOverviewStats, rankFailures } from '@keepwatch/contract/insights/insights';
import { sql } from 'drizzle-orm';
import { type Pool, rows } from '../../foundation/database.ts';
import { type Caller, TEST_NOW } from '../../testing/test-portal.ts';
import { writtenExecution } from '../intake.fixture.ts';

export const HOUR_MS = 3_600_000;

export function hoursAgo(hours: number): Date {
  return new Date(TEST_NOW.getTime() - hours * HOUR_MS);
}

/** Returns a run of a history that reports only the name of its job. */
export function namedRun(id: string, startedAt: Date, given: Partial<SourceExecution> = {}) {
  const failed = { result: 'Failed', message: `Run ${id} failed` } as const;
  return writtenExecution(null, startedAt, { externalId: id, jobName: 'Server Protection', ...failed, ...given });
}

export interface StoredRun {
  id: string;
  job: string;
  sharedBy: number | null;
  message: string | null;
  startedAt: string;
}

/** Reads all runs with the external id of their job, oldest first. */
export function storedRuns(pool: Pool): Promise<StoredRun[]> {
  return rows<StoredRun>(
    pool,
    sql`select e.id, case when j.shared_by is null then j.external_id else 'shared' end as job, j.shared_by as "sharedBy", e.message,
          e.started_at as "startedAt"
        from job_executions e join jobs j using (provider_id, job_instance_uid) where e.result <> 'DidntRun' order by e.started_at, e.message`,
  );
}

/** Returns the number of failed runs of the last seven days in each report. */
export async function failuresEverywhere(caller: Caller) {
  const range = { from: hoursAgo(7 * 24).toISOString(), to: TEST_NOW.toISOString() };
  const failed = { ...range, filter: { type: 'Failed', state: 'all', ignored: true } } as const;
  const list = await caller.call(listJobExecutions, { query: { ...failed, limit: 1_000 } });
  const csv = await caller.send(exportJobExecutions, { body: { source: 'JOBS', format: 'csv', ...failed } });
  const history = await caller.call(getHistoryChart, { query: range });
  const calendar = await caller.call(getSpreadsheetReport, { query: { ...range, limit: 1_000 } });
  const ranked = await caller.call(rankFailures, { query: { ...range, limit: 1_000 } });
  return {
    list: list.count,
    csv: (await csv.text()).trim().split('\r\n').length - 1,
    history: history.data.reduce((sum, day) => sum + day.failed, 0),
    ranking: ranked.data.reduce((sum, job) => sum + job.value, 0),
    failedDays: calendar.data.flatMap((job) => [...job.cells]).filter((letter) => letter === 'F').length,
  };
}

/** Returns the number of pending executions in the dashboard, the list of companies and the daily checks. */
export async function pendingEverywhere(dashboard: Caller, companies: Caller) {
  const range = { from: hoursAgo(7 * 24).toISOString(), to: TEST_NOW.toISOString() };
  const list = await dashboard.call(listJobExecutions, { query: { ...range, filter: { state: 'pending' } } });
  const overview = await dashboard.call(getOverviewStats, { query: range });
  const listed = await companies.call(listCompanies, { query: { limit: 100 } });
  return {
    list: list.count,
    dashboard: overview.data.pending,
    companies: listed.data.reduce((sum, company) => sum + company.pending, 0),
  };
}
