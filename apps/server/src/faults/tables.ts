import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';

/** Which fault each user has open. */
export const faultViewers = pgTable('fault_viewers', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  username: text('username').notNull(),
  faultId: uuid('fault_id').notNull(),
  since: instant('since').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
