import { Readable } from 'node:stream';
import type { JobExecution } from '@keepwatch/contract/monitoring/job-executions';
import { stringify } from 'csv-stringify/sync';
import { type SQL, sql } from 'drizzle-orm';
import { type Cursor, openCursor } from '../../foundation/cursor.ts';
import type { Pool } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { Actor } from '../../foundation/http/context.ts';
import { type Claimant, Places } from '../../foundation/http/places.ts';
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
/**
 * Each export holds a connection for as long as its reader takes: so many at once leave enough for all else, and so many of a provider
 * and of a user leave some for the others.
 */
const AT_ONCE = { total: 4, ofGroup: 3, ofOne: 2, waitingOfOne: 0, waiting: 0, waitMs: 0 };
/** A reader that takes nothing for `idleMs` is given up, and so is one that takes longer than `totalMs` for all of it. */
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
 * All executions of a query as CSV: UTF-8 with a byte order mark, so that spreadsheets read names right, header first, only a
 * batch in memory. Its query ends with the stream, also when the reader goes away or takes too long. Throws 429 while too many others
 * of the user or the provider export; what fails before the first row is thrown, what fails later breaks the stream off.
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

/** The file's name; without colons, which Windows does not take. */
export function exportFileName(now: Date): string {
  return `DailyChecks-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.csv`;
}

const placesOfPools = new WeakMap<Pool, Places>();

/** Takes one of the places of a pool; gives what leaves it, once. */
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
  // A reader that asks for nothing would hold place and connection for as long as it stays connected.
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
