import { Readable } from 'node:stream';
import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { stringify } from 'csv-stringify/sync';
import { type SQL, sql } from 'drizzle-orm';
import { type Cursor, openCursor } from '../foundation/cursor.ts';
import type { Pool } from '../foundation/database.ts';
import { Refusal } from '../foundation/errors.ts';
import type { Actor } from '../foundation/http/context.ts';
import { type Claimant, Places } from '../foundation/http/places.ts';
import type { Scope } from '../foundation/scope.ts';
import {
  type ChosenBy,
  chosenExecutions,
  EXECUTION_COLUMNS,
  EXECUTION_NAMES,
  type ExecutionQuery,
  executionOrder,
} from './job-executions.ts';

/** Rows per batch. */
const BATCH = 500;
/**
 * Limits on concurrent exports, in all and for each provider and user. An export holds a connection until its client has read
 * everything, so these leave enough connections for other requests and other users.
 */
const AT_ONCE = { total: 4, ofGroup: 3, ofOne: 2, waitingOfOne: 0, waiting: 0, waitMs: 0 };
/** Limits after which an export is aborted: `idleMs` without a read by the client, `totalMs` in all. */
const TIMES: ExportTimes = { idleMs: 60_000, totalMs: 15 * 60_000 };

export interface ExportTimes {
  idleMs: number;
  totalMs: number;
}

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
 * Streams all executions of a query as CSV, batch by batch: UTF-8 with a byte order mark, so that spreadsheets read names correctly,
 * header first. The query ends with the stream, also when the client disconnects or is too slow. Throws 429 while the user or the
 * provider has too many exports. An error before the first row is thrown; a later one aborts the stream.
 */
export async function exportExecutions(
  pool: Pool,
  { scope, userId }: Pick<Actor, 'scope' | 'userId'>,
  query: ExportQuery,
  times = TIMES,
): Promise<Readable> {
  const leave = await enter(pool, { group: String(scope.providerId), one: userId });
  const options = { batch: BATCH, idleMs: times.idleMs };
  const cursor = await openCursor<JobExecution>(pool, executionExportQuery(scope, query), options).catch((error) => {
    leave();
    throw error;
  });
  const close = () => cursor.close().finally(leave);
  try {
    return csvOf(cursor, await cursor.fetch(), close, times);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the file name, without the colons that Windows refuses. */
export function exportFileName(now: Date): string {
  return `DailyChecks-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.csv`;
}

const placesOfPools = new WeakMap<Pool, Places>();

/** Occupies a place in a pool; returns a function that releases it once. */
async function enter(pool: Pool, who: Claimant): Promise<() => void> {
  const places = placesOfPools.get(pool) ?? new Places(AT_ONCE);
  placesOfPools.set(pool, places);
  return places.enter(who, new AbortController().signal).catch((cause) => {
    throw new Refusal(429, 'TOO_MANY_EXPORTS', 'Other exports are still running. Try again in a minute.', {
      retryAfterSeconds: 60,
      cause,
    });
  });
}

function csvOf(
  cursor: Cursor<JobExecution>,
  first: JobExecution[],
  close: () => Promise<void>,
  { idleMs, totalMs }: ExportTimes,
): Readable {
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
  const giveUp = () => csv.destroy(new Error('The export took longer than it may.'));
  const overall = setTimeout(giveUp, totalMs);
  // A client that reads nothing would hold its place and connection for as long as it stays connected.
  const idle = setTimeout(giveUp, idleMs);
  const csv = new Readable({
    read() {
      idle.refresh();
      next().then(
        (text) => this.push(text),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      clearTimeout(overall);
      clearTimeout(idle);
      close().then(
        () => done(error),
        (failure) => done(error ?? failure),
      );
    },
  });
  return csv;
}

/** Puts an apostrophe before a cell that a spreadsheet would run as a formula (OWASP, "CSV Injection"). */
function lines(batch: readonly object[]): string {
  return stringify([...batch], {
    columns: COLUMNS.map(({ key }) => key),
    escape_formulas: true,
    record_delimiter: 'windows',
    // The library quotes only the record delimiter, but messages may contain either line break.
    quoted_match: /[\r\n]/,
    cast: { object: (value) => (Array.isArray(value) ? value.join(', ') : '') },
  });
}

const HEADER = stringify([COLUMNS.map(({ header }) => header)], { record_delimiter: 'windows' });
