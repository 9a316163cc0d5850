import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { type SQL, sql } from 'drizzle-orm';
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

/** What the file has of an execution. */
export const EXECUTION_CSV: readonly CsvColumn<JobExecution>[] = [
  { key: 'companyName', header: 'Company' },
  { key: 'jobName', header: 'Job' },
  { key: 'jobType', header: 'Job type' },
  { key: 'sourceGroup', header: 'Data source' },
  { key: 'serverName', header: 'Server' },
  { key: 'result', header: 'Result' },
  { key: 'state', header: 'State' },
  { key: 'startedAt', header: 'Started (UTC)' },
  { key: 'endedAt', header: 'Ended (UTC)' },
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
  { key: 'ignoredUntil', header: 'Ignored until (UTC)' },
  { key: 'changedBy', header: 'State changed by' },
  { key: 'changedAt', header: 'State changed (UTC)' },
];

export type ExportQuery = ChosenBy & Pick<ExecutionQuery, 'sort'>;

/** Selects all executions of a query, in its order. */
export function executionExportQuery(scope: Scope, query: ExportQuery): SQL {
  return sql`select ${EXECUTION_COLUMNS} from ${chosenExecutions(scope, query, EXECUTION_NAMES)}
    order by ${executionOrder(query.sort)}`;
}
