import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';

export const supportRequests = pgTable('support_requests', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  userId: uuid('user_id').notNull(),
  subject: text('subject').notNull(),
  message: text('message').notNull(),
  page: text('page'),
  browser: text('browser'),
  createdAt: instant('created_at').notNull(),
});
