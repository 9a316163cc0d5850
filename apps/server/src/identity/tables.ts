import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../foundation/columns.ts';

export const sessions = pgTable('sessions', {
  tokenHash: bytes('token_hash').notNull(),
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  address: text('address'),
  id: uuid('id').notNull().defaultRandom(),
  device: text('device'),
  lastAt: instant('last_at').notNull().defaultNow(),
  /** Of the session of the administrator who acts as the user. */
  parentHash: bytes('parent_hash'),
});

/** Keys with which programs of a user call the portal. */
export const apiKeys = pgTable('api_keys', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  userId: uuid('user_id').notNull(),
  name: text('name').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  abilities: text('abilities').array().$type<readonly string[]>().notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  lastAt: instant('last_at'),
  lastAddress: text('last_address'),
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
