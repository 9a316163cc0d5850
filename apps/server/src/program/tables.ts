import { boolean, pgTable } from 'drizzle-orm/pg-core';
import { bytes } from '../foundation/columns.ts';

/** One row: a known text, sealed with the key of the stored secrets. */
export const secretCheck = pgTable('secret_check', {
  isOnly: boolean('is_only').notNull().default(true),
  sealed: bytes('sealed').notNull(),
});
