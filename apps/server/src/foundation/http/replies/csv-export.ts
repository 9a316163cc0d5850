import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { SQL } from 'drizzle-orm';
import { type Cursor, openCursor } from '../../cursor.ts';
import type { Pool } from '../../database.ts';
import { Refusal } from '../../errors.ts';
import type { Actor } from '../context.ts';
import { type Claimant, Places } from '../places.ts';

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

/** A column of a CSV file: a field of the row, or a text made of the row, and what is above it. */
export type CsvColumn<Row> = { header: string } & ({ key: keyof Row & string } | { text: (row: Row) => string | null });

/**
 * Streams all rows of a query as CSV, batch by batch: UTF-8 with a byte order mark, so that spreadsheets read names correctly,
 * header first. The query ends with the stream, also when the client disconnects or is too slow. Throws 429 while the user or the
 * provider has too many exports. An error before the first row is thrown; a later one aborts the stream.
 */
export async function exportCsv<Row extends object>(
  pool: Pool,
  { scope, userId }: Pick<Actor, 'scope' | 'userId'>,
  { query, columns }: { query: SQL; columns: readonly CsvColumn<Row>[] },
  times = TIMES,
): Promise<Readable> {
  const leave = await enter(pool, { group: String(scope.providerId), one: userId });
  const cursor = await openCursor<Row>(pool, query, { batch: BATCH, idleMs: times.idleMs }).catch((error) => {
    leave();
    throw error;
  });
  const close = () => cursor.close().finally(leave);
  try {
    return csvOf({ columns, times }, cursor, await cursor.fetch(), close);
  } catch (error) {
    await close();
    throw error;
  }
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

function csvOf<Row extends object>(
  { columns, times: { idleMs, totalMs } }: { columns: readonly CsvColumn<Row>[]; times: ExportTimes },
  cursor: Cursor<Row>,
  first: Row[],
  close: () => Promise<void>,
): Readable {
  const lines = (batch: readonly Row[]) => linesOf(columns, batch);
  let waiting = `\uFEFF${headerOf(columns)}${lines(first)}`;
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
function linesOf<Row extends object>(columns: readonly CsvColumn<Row>[], batch: readonly Row[]): string {
  const cells = batch.map((row) => columns.map((column) => ('key' in column ? row[column.key] : column.text(row))));
  return stringify(cells, {
    escape_formulas: true,
    record_delimiter: 'windows',
    // The library quotes only the record delimiter, but messages may contain either line break.
    quoted_match: /[\r\n]/,
    cast: {
      boolean: (value) => (value ? 'yes' : 'no'),
      object: (value) => (Array.isArray(value) ? value.join(', ') : ''),
    },
  });
}

function headerOf(columns: readonly { header: string }[]): string {
  return stringify([columns.map(({ header }) => header)], { record_delimiter: 'windows' });
}
