import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../foundation/columns.ts';

export const intakeTokens = pgTable('intake_tokens', {
  tokenHash: bytes('token_hash').notNull(),
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  companyId: uuid('company_id').notNull(),
  name: text('name').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  lastUsedAt: instant('last_used_at'),
});
