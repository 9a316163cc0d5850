import type { BackupClock } from '@keepwatch/contract/backup-days/backup-day';
import { type SQL, sql } from 'drizzle-orm';
import { zonedColumn } from '../backup-days/zoned-column.ts';
import { COUNTED, jobStatus } from '../executions/job-status.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import type { CsvColumn } from '../foundation/http/replies/csv-export.ts';
import type { Scope } from '../foundation/scope.ts';
import { FAULTS, IS_OPEN_WORK } from '../runs/faults/faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';

/** A job with its open fault, of which all is `null` where it has none. */
interface CompanyJob {
  jobName: string;
  jobType: string | null;
  sourceGroup: string;
  serverName: string | null;
  targetName: string | null;
  isEnabled: boolean;
  status: string;
  lastRunAt: string | null;
  lastSuccessAt: string | null;
  sizeBytes: number | null;
  kind: string | null;
  state: string | null;
  openedAt: string | null;
  fineAt: string | null;
  runs: number | null;
  message: string | null;
  note: string | null;
  changedBy: string | null;
}

/**
 * The jobs of one company: those with an open fault first, the worst of them first. A fault stays with the company in which it began: that of a
 * job which has come from another one is not in this file.
 */
export function companyJobsQuery(scope: Scope, companyId: string, now: Date): SQL {
  const company = scope.narrowedTo([companyId]);
  return sql`select ${JOB_NAME} as "jobName", j.job_type as "jobType", j.source_group as "sourceGroup", j.server_name as "serverName",
      j.target_name as "targetName", j.is_enabled as "isEnabled", j.job_status as status, j.last_started_at as "lastRunAt",
      j.last_success_at as "lastSuccessAt", j.backup_size_bytes as "sizeBytes", f.kind, f.state, f.opened_at as "openedAt", f.fine_at as "fineAt",
      f.runs, e.message, e.note, f.changed_by_name as "changedBy"
    from (select j.*, coalesce(${jobStatus(now)}, 'disabled') as job_status from ${JOBS} j where ${company.rows('j')} and ${COUNTED} offset 0) j
    left join ${FAULTS} f on f.provider_id = j.provider_id and f.job_instance_uid = j.job_instance_uid and ${company.rows('f')}
      and ${IS_OPEN_WORK}
    left join lateral (select e.message, e.notes->-1->>'content' as note from ${JOB_EXECUTIONS} e where e.provider_id = f.provider_id
      and e.started_at = f.last_started_at and e.id = f.last_execution_id offset 0) e on true
    order by f.place nulls last, lower(j.name), j.job_instance_uid`;
}

/** What the file has of a job; of its fault only for users who may see faults. */
export function companyJobsCsv({ timeZone }: BackupClock, seesFaults: boolean): CsvColumn<CompanyJob>[] {
  const time = (header: string, of: (job: CompanyJob) => string | null) => zonedColumn(timeZone, header, of);
  const ofJob: CsvColumn<CompanyJob>[] = [
    { key: 'jobName', header: 'Job' },
    { key: 'jobType', header: 'Job type' },
    { key: 'sourceGroup', header: 'Data source' },
    { key: 'serverName', header: 'Server' },
    { key: 'targetName', header: 'Target' },
    { key: 'isEnabled', header: 'Enabled' },
    { key: 'status', header: 'Status' },
    time('Last run', ({ lastRunAt }) => lastRunAt),
    time('Last success', ({ lastSuccessAt }) => lastSuccessAt),
    { key: 'sizeBytes', header: 'Size (bytes)' },
  ];
  if (!seesFaults) return ofJob;
  return [
    ...ofJob,
    { key: 'kind', header: 'Open fault' },
    { key: 'state', header: 'State' },
    time('Failing since', ({ openedAt }) => openedAt),
    time('Last good run', ({ fineAt }) => fineAt),
    { key: 'runs', header: 'Runs' },
    { key: 'message', header: 'Reason' },
    { key: 'note', header: 'Note' },
    { key: 'changedBy', header: 'State changed by' },
  ];
}
