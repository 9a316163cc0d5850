import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';

/** A value of a row as COPY takes it. */
export type CopyValue = string | number | boolean | null;

/** Rows go to the server in pieces of about this many characters. */
const PIECE_LENGTH = 65_536;
/** Of rows that come one by one, as many are gathered first. */
const GROUP_ROWS = 500;

/**
 * Adds rows to a table by COPY, the fastest way there is. Takes rows as they come and waits when the server is slower.
 * @param target table and columns: `chunks (chunk, pack)`
 */
export async function copyRows(
  connection: pg.PoolClient,
  target: string,
  rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>,
): Promise<void> {
  const copy = connection.query(from(`COPY ${target} FROM STDIN`));
  const pieces = Symbol.asyncIterator in rows ? piecesOfGroups(rows) : piecesOf(rows);
  await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 4 }), copy);
}

async function* piecesOfGroups(rows: AsyncIterable<readonly CopyValue[]>): AsyncGenerator<Buffer> {
  let group: (readonly CopyValue[])[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < GROUP_ROWS) continue;
    yield* piecesOf(group);
    group = [];
  }
  yield* piecesOf(group);
}

/** Nothing waits between two rows: a turn for each would take as long as making its text. */
function* piecesOf(rows: Iterable<readonly CopyValue[]>): Generator<Buffer> {
  let piece = '';
  for (const row of rows) {
    piece += `${row.map(copyText).join('\t')}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** COPY's text format: https://www.postgresql.org/docs/18/sql-copy.html, "Text Format". */
function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return SPECIAL.test(value) ? value.replace(/[\\\n\r\t]/g, (one) => ESCAPES[one] ?? one) : value;
}
