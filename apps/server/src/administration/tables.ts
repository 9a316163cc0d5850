import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, int64 } from '../foundation/columns.ts';

/** One row. */
export const backupPlan = pgTable('backup_plan', {
  isOnly: boolean('is_only').notNull().default(true),
  isOn: boolean('is_on').notNull().default(false),
  /** In UTC, such as `02:00`. */
  at: text('at').notNull().default('02:00'),
  keep: integer('keep').notNull().default(7),
  /** When one was last begun by the schedule, or the schedule was set. */
  begunAt: instant('begun_at'),
  runningSince: instant('running_since'),
  /** The last sign of life of the one that runs. */
  seenAt: instant('seen_at'),
  doneBytes: int64('done_bytes').notNull().default(0),
  totalBytes: int64('total_bytes').notNull().default(0),
  failedAt: instant('failed_at'),
  failure: text('failure'),
});
