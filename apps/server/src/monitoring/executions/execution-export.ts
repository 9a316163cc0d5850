import { Readable } from 'node:stream';
import type { JobExecution } from '@keepwatch/contract/monitoring/job-executions';
import { stringify } from 'csv-stringify/sync';
import { type SQL, sql } from 'drizzle-orm';
import { type Cursor, openCursor } from '../../foundation/cursor.ts';
import type { Pool } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { Scope } from '../../foundation/scope.ts';
import {
  type ChosenBy,
  chosenExecutions,
  EXECUTION_COLUMNS,
  EXECUTION_NAMES,
  type ExecutionQuery,
  executionOrder,
} from './job-executions.ts';

/** Rows that are in memory at a time. */
const BATCH = 500;
/** Each export holds a connection for as long as its reader takes: so many at once leave enough for everybody else. */
const AT_ONCE_MAX = 3;
/** A reader that takes nothing for this long is given up. */
const IDLE_MS = 60_000;

const COLUMNS: readonly { key: keyof JobExecution; header: string }[] = [
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

export function executionExportQuery(scope: Scope, query: ExportQuery): SQL {
  return sql`select ${EXECUTION_COLUMNS} from ${chosenExecutions(scope, query, EXECUTION_NAMES)}
    order by ${executionOrder(query.sort)}`;
}

/**
 * All executions of a query as CSV: UTF-8 with a byte order mark, so that spreadsheets read names right, header first, only a
 * batch in memory. Its query ends with the stream, also when the reader goes away. Throws 429 while too many others export;
 * what fails before the first row is thrown, what fails later breaks the stream off.
 */
export async function exportExecutions(pool: Pool, scope: Scope, query: ExportQuery): Promise<Readable> {
  const leave = enter(pool);
  const options = { batch: BATCH, idleMs: IDLE_MS };
  const cursor = await openCursor<JobExecution>(pool, executionExportQuery(scope, query), options).catch((error) => {
    leave();
    throw error;
  });
  const close = () => cursor.close().finally(leave);
  try {
    return csvOf(cursor, await cursor.fetch(), close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** The file's name; without colons, which Windows does not take. */
export function exportFileName(now: Date): string {
  return `DailyChecks-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.csv`;
}

const running = new WeakMap<Pool, number>();

/** Takes one of the places of a pool; gives what leaves it, once. */
function enter(pool: Pool): () => void {
  const others = running.get(pool) ?? 0;
  if (others >= AT_ONCE_MAX)
    throw new Refusal(429, 'TOO_MANY_EXPORTS', 'Other exports are still running. Try again in a minute.', {
      retryAfterSeconds: 60,
    });
  running.set(pool, others + 1);
  let isIn = true;
  return () => {
    if (isIn) running.set(pool, (running.get(pool) ?? 1) - 1);
    isIn = false;
  };
}

function csvOf(cursor: Cursor<JobExecution>, first: JobExecution[], close: () => Promise<void>): Readable {
  let waiting = `\uFEFF${HEADER}${lines(first)}`;
  let isLast = first.length < BATCH;
  async function next(): Promise<string | null> {
    const text = waiting;
    if (isLast) waiting = '';
    else {
      const batch = await cursor.fetch();
      isLast = batch.length < BATCH;
      waiting = lines(batch);
    }
    return text === '' ? null : text;
  }
  return new Readable({
    read() {
      next().then(
        (text) => this.push(text),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      close().then(
        () => done(error),
        (failure) => done(error ?? failure),
      );
    },
  });
}

/** A cell that a spreadsheet would take for a formula gets an apostrophe in front (OWASP, "CSV Injection"). */
function lines(batch: readonly object[]): string {
  return stringify([...batch], {
    columns: COLUMNS.map(({ key }) => key),
    escape_formulas: true,
    record_delimiter: 'windows',
    // By itself it quotes the record delimiter alone, and programs write their messages with one sign or the other.
    quoted_match: /[\r\n]/,
    cast: { object: (value) => (Array.isArray(value) ? value.join(', ') : '') },
  });
}

const HEADER = stringify([COLUMNS.map(({ header }) => header)], { record_delimiter: 'windows' });
