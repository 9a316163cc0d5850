import { sql } from 'drizzle-orm';
import { execute, type Pool, rows } from '../foundation/database.ts';

/** Pages of 8 KiB that a table may have without statistics: some five hundred runs. */
const PAGES_MIN = 16;
/** Growth factor after which a table needs new statistics. */
const GROWTH_MAX = 4;

/**
 * Updates the planner statistics of the months that runs were just written to, where it has none, or those of a far
 * smaller table. PostgreSQL does so itself, but a minute later: until then it plans a first sync as for empty months,
 * and every job reads all runs of its month instead of its own. Never waits: a table that another process is analysing
 * is skipped.
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
