import type { RoleItem, RoleType } from '@keepwatch/contract/restore/roles';
import type { SessionType } from '@keepwatch/contract/restore/sessions';
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, int64 } from '../foundation/columns.ts';
import type { DownloadOrder, DownloadProgress, DownloadState } from './downloads/download-order.ts';
import type { OperationState, StoredProgress, StoredRestoreOrder } from './operations/restore-order.ts';
import type { SessionPoint } from './sessions/session-point.ts';
import type { ProvedRole } from './sign-in/proved-role.ts';

export const restoreRoles = pgTable('restore_roles', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  companyId: uuid('company_id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  roleType: text('role_type').$type<RoleType>().notNull(),
  operatorIds: uuid('operator_ids').array().notNull(),
  selected: jsonb('selected').$type<readonly RoleItem[]>().notNull(),
  excluded: jsonb('excluded').$type<readonly RoleItem[]>().notNull(),
  createdAt: instant('created_at').notNull(),
});

export const restoreSessions = pgTable('restore_sessions', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  companyId: uuid('company_id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  userId: uuid('user_id').notNull(),
  sessionType: text('session_type').$type<SessionType>().notNull(),
  jobId: uuid('job_id'),
  at: instant('at').notNull(),
  showDeleted: boolean('show_deleted').notNull(),
  points: jsonb('points').$type<readonly SessionPoint[]>().notNull(),
  createdAt: instant('created_at').notNull(),
  endsAt: instant('ends_at').notNull(),
  stoppedAt: instant('stopped_at'),
});

export const restoreSignIns = pgTable('restore_sign_ins', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  companyId: uuid('company_id').notNull(),
  userCode: text('user_code').notNull(),
  /** Sealed. */
  secret: bytes('secret').notNull(),
  intervalMs: integer('interval_ms').notNull(),
  nextAskAt: instant('next_ask_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  account: text('account'),
  accountId: text('account_id'),
  role: text('role').$type<ProvedRole>(),
});

export const restoreOperations = pgTable('restore_operations', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  companyId: uuid('company_id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  organizationName: text('organization_name').notNull(),
  sessionId: uuid('session_id').notNull(),
  userId: uuid('user_id').notNull(),
  username: text('username').notNull(),
  name: text('name').notNull(),
  target: text('target').notNull(),
  isPlan: boolean('is_plan').notNull(),
  restoreOrder: jsonb('restore_order').$type<StoredRestoreOrder>().notNull(),
  state: text('state').$type<OperationState>().notNull(),
  createdAt: instant('created_at').notNull(),
  cancelAskedAt: instant('cancel_asked_at'),
  startedAt: instant('started_at'),
  endedAt: instant('ended_at'),
  progress: jsonb('progress').$type<StoredProgress>().notNull().default({}),
  message: text('message'),
  claims: integer('claims').notNull().default(0),
});

export const restoreOperationItems = pgTable('restore_operation_items', {
  providerId: integer('provider_id').notNull(),
  operationId: uuid('operation_id').notNull(),
  line: bigint('line', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  part: integer('part').notNull().default(0),
  itemId: text('item_id').notNull(),
  kind: text('kind').notNull(),
  name: text('name').notNull(),
  path: text('path').notNull(),
  outcome: text('outcome').notNull(),
  reason: text('reason').notNull(),
});

export const restoreDownloads = pgTable('restore_downloads', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  companyId: uuid('company_id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  organizationName: text('organization_name').notNull(),
  sessionId: uuid('session_id'),
  userId: uuid('user_id').notNull(),
  username: text('username').notNull(),
  fileName: text('file_name').notNull(),
  format: text('format').notNull(),
  downloadOrder: jsonb('download_order').$type<DownloadOrder>().notNull(),
  state: text('state').$type<DownloadState>().notNull(),
  createdAt: instant('created_at').notNull(),
  cancelAskedAt: instant('cancel_asked_at'),
  startedAt: instant('started_at'),
  finishedAt: instant('finished_at'),
  expiresAt: instant('expires_at'),
  progress: jsonb('progress').$type<Partial<DownloadProgress>>().notNull().default({}),
  sizeBytes: int64('size_bytes'),
  sha256: text('sha256'),
  missing: integer('missing').notNull().default(0),
  message: text('message'),
  claims: integer('claims').notNull().default(0),
});
