import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../foundation/columns.ts';

export const sessions = pgTable('sessions', {
  tokenHash: bytes('token_hash').notNull(),
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  address: text('address'),
});

export const signInAttempts = pgTable('sign_in_attempts', {
  providerId: integer('provider_id').notNull(),
  kind: text('kind').notNull(),
  key: text('key').notNull(),
  count: integer('count').notNull(),
  since: instant('since').notNull(),
});

export const signInDevices = pgTable('sign_in_devices', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  createdAt: instant('created_at').notNull(),
  lastAt: instant('last_at').notNull(),
});

export const setupLinks = pgTable('setup_links', {
  tokenHash: bytes('token_hash').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});
