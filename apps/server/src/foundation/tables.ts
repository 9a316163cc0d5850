import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, int64 } from './columns.ts';

export const idempotencyKeys = pgTable('idempotency_keys', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  keyHash: bytes('key_hash').notNull(),
  askedHash: bytes('asked_hash').notNull(),
  /** Sealed; `null` while the request is being answered. */
  reply: bytes('reply'),
  at: instant('at').notNull(),
});

/** One row, once it was needed. */
export const markKey = pgTable('mark_key', {
  isOnly: boolean('is_only').notNull().default(true),
  key: bytes('key').notNull(),
});

export const readinessChecks = pgTable('readiness_checks', {
  id: integer('id').notNull(),
  at: instant('at').notNull(),
});

export const outbox = pgTable('outbox', {
  providerId: integer('provider_id').notNull(),
  id: int64('id').notNull().generatedAlwaysAsIdentity(),
  event: text('event').notNull(),
  subjectKind: text('subject_kind').notNull(),
  subjectId: text('subject_id').notNull(),
  payload: jsonb('payload').$type<object>().notNull(),
  announcedAt: instant('announced_at').notNull().defaultNow(),
  deliveredTo: text('delivered_to').array().$type<readonly string[]>().notNull().default([]),
  attempts: integer('attempts').notNull().default(0),
  nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
  /** Delivered to all subscribers, or given up. */
  endedAt: instant('ended_at'),
  isDead: boolean('is_dead').notNull().default(false),
});
