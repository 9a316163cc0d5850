import { type BackupClock, dayOf } from '@keepwatch/contract/backup-days/backup-day';
import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { type SQL, sql } from 'drizzle-orm';
import { zonedColumn } from '../backup-days/zoned-column.ts';
import type { CsvColumn } from '../foundation/http/replies/csv-export.ts';
import type { Scope } from '../foundation/scope.ts';
import {
  type ChosenBy,
  chosenExecutions,
  EXECUTION_COLUMNS,
  EXECUTION_NAMES,
  type ExecutionQuery,
  executionOrder,
} from './job-executions.ts';

/** What the file has of an execution: its times and its day as the provider's clocks show them. */
export function executionCsv(clock: BackupClock): CsvColumn<JobExecution>[] {
  const time = (header: string, of: (run: JobExecution) => string | null) => zonedColumn(clock.timeZone, header, of);
  return [
    { key: 'companyName', header: 'Company' },
    { key: 'jobName', header: 'Job' },
    { key: 'jobType', header: 'Job type' },
    { key: 'sourceGroup', header: 'Data source' },
    { key: 'serverName', header: 'Server' },
    { key: 'result', header: 'Result' },
    { key: 'state', header: 'State' },
    time('Started', ({ startedAt }) => startedAt),
    time('Ended', ({ endedAt }) => endedAt),
    { key: 'durationMs', header: 'Duration (ms)' },
    { key: 'transferredBytes', header: 'Transferred (bytes)' },
    { key: 'processedBytes', header: 'Processed (bytes)' },
    { key: 'processedFiles', header: 'Processed files' },
    { key: 'sizeBytes', header: 'Size (bytes)' },
    { key: 'attempts', header: 'Attempts' },
    { key: 'message', header: 'Message' },
    { key: 'anomalies', header: 'Anomalies' },
    { key: 'match', header: 'Match' },
    { key: 'note', header: 'Note' },
    time('Ignored until', ({ ignoredUntil }) => ignoredUntil),
    { key: 'changedBy', header: 'State changed by' },
    time('State changed', ({ changedAt }) => changedAt),
    // Last, in the order in which they were added, so that programs which read the file find the others where they were.
    { header: 'Backup day', text: ({ startedAt }) => dayOf(clock, Date.parse(startedAt)) },
    { key: 'tool', header: 'Tool' },
  ];
}

export type ExportQuery = ChosenBy & Pick<ExecutionQuery, 'sort'>;

/** Selects all executions of a query, in its order. */
export function executionExportQuery(scope: Scope, query: ExportQuery): SQL {
  return sql`select ${EXECUTION_COLUMNS} from ${chosenExecutions(scope, query, EXECUTION_NAMES)}
    order by ${executionOrder(query.sort)}`;
}
