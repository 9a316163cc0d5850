import type { Settings } from '@keepwatch/connectors/base/setting-field';
import type { ConnectionHealth } from '@keepwatch/contract/connections/connections';
import type { ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../foundation/columns.ts';

export const connections = pgTable('connections', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  port: text('port').notNull(),
  kind: text('kind').notNull(),
  name: text('name').notNull(),
  isEnabled: boolean('is_enabled').notNull().default(true),
  settings: jsonb('settings').$type<Settings>().notNull().default({}),
  /** Sealed. */
  secrets: bytes('secrets'),
  health: text('health').$type<ConnectionHealth['state']>(),
  healthSince: instant('health_since'),
  healthCheckedAt: instant('health_checked_at'),
  healthMessage: text('health_message'),
  createdAt: instant('created_at').notNull().defaultNow(),
  deletedAt: instant('deleted_at'),
});

export const companyLinks = pgTable('company_links', {
  providerId: integer('provider_id').notNull(),
  connectionId: uuid('connection_id').notNull(),
  externalId: text('external_id').notNull(),
  companyId: uuid('company_id').notNull(),
  /** `linked`, or `unlinked` after a user removed the link: a sync must not make it again. */
  state: text('state').notNull().default('linked'),
});

/** Accounts of users in connected consoles. */
export const userAccounts = pgTable('user_accounts', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  /** Of the console. A user has one account in each kind. */
  kind: text('kind').$type<ConsoleKind>().notNull(),
  connectionId: uuid('connection_id').notNull(),
  /** As the console identifies and names it. */
  accountId: text('account_id').notNull(),
  name: text('name').notNull(),
});
