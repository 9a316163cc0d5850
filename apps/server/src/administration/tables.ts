import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, instant, int64 } from '../foundation/columns.ts';

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

/** One row: a known text, sealed with the key of the stored secrets. */
export const secretCheck = pgTable('secret_check', {
  isOnly: boolean('is_only').notNull().default(true),
  /** While a rotation goes on: with the previous key. */
  sealed: bytes('sealed').notNull(),
  /** With the key in force, while a rotation goes on. */
  nextSealed: bytes('next_sealed'),
  /** When the key in force was first used; `null` where that was not recorded. */
  since: instant('since'),
});
