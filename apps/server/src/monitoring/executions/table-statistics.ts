import { sql } from 'drizzle-orm';
import { execute, type Pool, rows } from '../../foundation/database.ts';

/** Pages of 8 KiB that a table may hold without statistics: some five hundred runs. */
const PAGES_MIN = 16;
/** A table that has become so many times larger is another table for the planner. */
const GROWTH_MAX = 4;

/**
 * Gives the planner statistics of the months that runs were just written to, where it has none, or those of a far smaller table.
 * PostgreSQL does so itself, but a minute later: until then a first sync is planned as for empty months, and every job reads all runs
 * of its month instead of its own. Waits for nobody: a table that is being analysed is left to who does it.
 */
export async function refreshStatistics(pool: Pool): Promise<void> {
  const grown = await rows<{ name: string }>(
    pool,
    sql`select quote_ident(c.relname) as name from pg_class c join pg_inherits i on i.inhrelid = c.oid
        where i.inhparent in ('job_executions'::regclass, 'job_execution_logs'::regclass, 'job_days'::regclass)
          and pg_relation_size(c.oid) / current_setting('block_size')::int > ${GROWTH_MAX}::int * c.relpages + ${PAGES_MIN}::int
        order by 1`,
  );
  for (const { name } of grown) await execute(pool, sql`analyze (skip_locked) ${sql.raw(name)}`);
}
