import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';

export const auditEntries = pgTable('audit_entries', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  at: instant('at').notNull(),
  userId: uuid('user_id'),
  username: text('username'),
  /** The user as whom an administrator did it. */
  asUserId: uuid('as_user_id'),
  asUsername: text('as_username'),
  /** Name of the key with which a program of the user did it. */
  apiKey: text('api_key'),
  action: text('action').notNull(),
  targetKind: text('target_kind'),
  targetId: text('target_id'),
  before: jsonb('before'),
  after: jsonb('after'),
  address: text('address'),
  requestId: text('request_id'),
  /** What the user was limited to; `null`: all companies of the provider. */
  companyIds: uuid('company_ids').array().$type<readonly string[]>(),
});
