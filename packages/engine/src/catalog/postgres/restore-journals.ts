import type pg from 'pg';
import type { JournalLines, ListedRestoreJournals, UnfinishedRestore } from '../../restore/restore-journals.ts';
import { aboutOf } from '../../restore/restored-about.ts';
import type { CatalogPools } from './repository-catalog.ts';
import { row, rows } from './sessions/connection.ts';
import { claimTarget } from './sessions/target-claim.ts';

const LINES_A_PAGE = 5_000;

/**
 * Journals of the restores from a repository in the database of the catalog: any worker that reaches it goes on with them. A name begins with the
 * id of the repository, so that those of other repositories are neither listed nor discarded.
 */
export function restoreJournals({ pool, pins }: CatalogPools, repository: string): ListedRestoreJournals {
  const prefix = `${repository}/`;
  const unfinished = async (restore: string | null): Promise<UnfinishedRestore[]> => {
    const found = await rows<JournalRow>(pool, JOURNALS, [prefix, restore === null ? null : prefix + restore]);
    return found.map((journal) => unfinishedOf(journal, prefix));
  };
  return {
    async open(restore) {
      const name = prefix + restore;
      await pool.query('INSERT INTO restore_journals (restore) VALUES ($1) ON CONFLICT (restore) DO NOTHING', [name]);
      return linesOf(pool, name);
    },
    async has(restore) {
      return (await row(pool, 'SELECT FROM restore_journals WHERE restore = $1', [prefix + restore])) !== null;
    },
    placeOf: (restore) => placeOf(prefix + restore),
    async list({ object } = {}) {
      const all = await unfinished(null);
      return object === undefined ? all : all.filter(({ about }) => about?.object === object);
    },
    async discard(restore) {
      const [journal] = await unfinished(restore);
      if (journal === undefined) return false;
      const { about } = journal;
      // A restore that is under way would lose what it may have left half-written.
      const claim = about === null ? null : await claimTarget(pins, about.to, about.toName);
      try {
        const { rowCount } = await pool.query('DELETE FROM restore_journals WHERE restore = $1', [prefix + restore]);
        return rowCount === 1;
      } finally {
        claim?.end();
      }
    },
  };
}

interface JournalRow {
  restore: string;
  begunAt: Date;
  first: string | null;
  begun: number;
  restored: number;
  replaced: number;
  skipped: number;
}

/**
 * Journals with their counts, the oldest first. Lines are texts: one may have characters that `jsonb` refuses. Within a text of JSON a quotation
 * mark has a backslash before it, so that an item whose id looks like an outcome counts for nothing.
 */
const JOURNALS = `
  SELECT j.restore, j.begun_at AS "begunAt",
    (SELECT line FROM restore_journal_lines WHERE restore = j.restore ORDER BY number LIMIT 1) AS first,
    l.begun, l.restored, l.replaced, l.skipped
  FROM restore_journals j, LATERAL (
    SELECT count(*) FILTER (WHERE line LIKE '{"type":"begun"%')::int AS begun,
      count(*) FILTER (WHERE line LIKE '{"type":"done"%","outcome":"restored"%')::int AS restored,
      count(*) FILTER (WHERE line LIKE '{"type":"done"%","outcome":"replaced"%')::int AS replaced,
      count(*) FILTER (WHERE line LIKE '{"type":"done"%","outcome":"skipped"%')::int AS skipped
    FROM restore_journal_lines WHERE restore = j.restore
  ) l
  WHERE starts_with(j.restore, $1) AND ($2::text IS NULL OR j.restore = $2)
  ORDER BY j.begun_at, j.restore`;

function unfinishedOf({ restore, begunAt, first, ...counts }: JournalRow, prefix: string): UnfinishedRestore {
  return { restore: restore.slice(prefix.length), begunAt, about: first === null ? null : aboutOf(first), ...counts };
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
