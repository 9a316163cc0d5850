import type pg from 'pg';
import type { JournalLines, RestoreJournals } from '../../restore/restore-journals.ts';
import { row, rows } from './connection.ts';

const LINES_A_PAGE = 5_000;

/** Journals of restores in the database of the catalog: any worker that reaches it goes on with them. */
export function restoreJournals(pool: pg.Pool): RestoreJournals {
  return {
    async open(restore) {
      await pool.query('INSERT INTO restore_journals (restore) VALUES ($1) ON CONFLICT (restore) DO NOTHING', [
        restore,
      ]);
      return linesOf(pool, restore);
    },
    async has(restore) {
      return (await row(pool, 'SELECT FROM restore_journals WHERE restore = $1', [restore])) !== null;
    },
    placeOf,
  };
}

const placeOf = (restore: string) => `${restore} in the database`;

function linesOf(pool: pg.Pool, restore: string): JournalLines {
  return {
    place: placeOf(restore),
    earlier: () => earlierLines(pool, restore),
    /** One statement, and so all of the lines or none; each transaction is durable when it is confirmed. */
    async append(lines) {
      await pool.query(
        `INSERT INTO restore_journal_lines (restore, line)
         SELECT $1, added.line FROM unnest($2::text[]) WITH ORDINALITY AS added (line, place) ORDER BY added.place`,
        [restore, lines],
      );
    },
    close: async () => undefined,
    async remove() {
      await pool.query('DELETE FROM restore_journals WHERE restore = $1', [restore]);
    },
  };
}

async function* earlierLines(pool: pg.Pool, restore: string): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const page = await rows<{ number: number; line: string }>(
      pool,
      `SELECT number, line FROM restore_journal_lines WHERE restore = $1 AND number > $2 ORDER BY number LIMIT ${LINES_A_PAGE}`,
      [restore, after],
    );
    for (const { line } of page) yield line;
    const last = page.at(-1);
    if (last === undefined || page.length < LINES_A_PAGE) return;
    after = last.number;
  }
}
