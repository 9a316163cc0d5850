import type {
  JobSchedule,
  NewJob,
  SessionLogLine,
  SessionResult,
} from '@keepwatch/connectors/ports/microsoft365-engine';
import type { EngineKind } from '@keepwatch/contract/microsoft365/engines';
import type { UserPart } from '@keepwatch/contract/microsoft365/licensing';
import type { Finding, MaintenanceKind, VerifyDepth } from '@keepwatch/contract/microsoft365/maintenance';
import type { AuthType, Region, Service } from '@keepwatch/contract/microsoft365/organizations';
import type { ProvedItem } from '@keepwatch/contract/microsoft365/proofs';
import type { ObjectKind } from '@keepwatch/engine/engine';
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, day, instant, int64 } from '../foundation/columns.ts';
import type { JobNotification } from './job-notification.ts';
import type { OrganizationSettings } from './organizations/organization-settings.ts';
import type { SessionProgress } from './session-progress.ts';

export const m365Organizations = pgTable('m365_organizations', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  companyId: uuid('company_id').notNull(),
  engine: text('engine').$type<EngineKind>().notNull(),
  name: text('name').notNull(),
  officeName: text('office_name').notNull(),
  tenantId: text('tenant_id').notNull(),
  region: text('region').$type<Region>().notNull(),
  authType: text('auth_type').$type<AuthType>().notNull(),
  services: text('services').array().$type<Service[]>().notNull(),
  settings: jsonb('settings').$type<OrganizationSettings>().notNull().default({}),
  createdAt: instant('created_at').notNull(),
});

export const m365Applications = pgTable('m365_applications', {
  providerId: integer('provider_id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  applicationId: text('application_id').notNull(),
  purpose: text('purpose').$type<'backup' | 'restore'>().notNull(),
  name: text('name').notNull(),
  /** Sealed. */
  credentials: bytes('credentials').notNull(),
  certificateThumbprint: text('certificate_thumbprint'),
  certificateExpiresAt: instant('certificate_expires_at'),
  createdAt: instant('created_at').notNull(),
});

export const m365DeviceCodes = pgTable('m365_device_codes', {
  providerId: integer('provider_id').notNull(),
  companyId: uuid('company_id').notNull(),
  userCode: text('user_code').notNull(),
  userId: uuid('user_id').notNull(),
  organizationId: uuid('organization_id'),
  region: text('region').$type<Region>().notNull(),
  /** Sealed. */
  secret: bytes('secret').notNull(),
  intervalMs: integer('interval_ms').notNull(),
  nextAskAt: instant('next_ask_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export const m365Repositories = pgTable('m365_repositories', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  name: text('name').notNull(),
  placeKind: text('place_kind').$type<'folder' | 's3'>().notNull(),
  place: text('place').notNull(),
  placeSettings: jsonb('place_settings').$type<Readonly<Record<string, string>>>().notNull().default({}),
  /** Sealed. */
  secrets: bytes('secrets').notNull(),
  passwordDescription: text('password_description').notNull(),
  retentionYears: integer('retention_years'),
  immutableDays: integer('immutable_days').notNull().default(0),
  engineId: text('engine_id').notNull(),
  usedBytes: int64('used_bytes'),
  freeBytes: int64('free_bytes'),
  measuredAt: instant('measured_at'),
  growthBytes: int64('growth_bytes'),
  erasuresFollowed: integer('erasures_followed').notNull().default(0),
  createdAt: instant('created_at').notNull(),
});

export const m365RestorePoints = pgTable('m365_restore_points', {
  providerId: integer('provider_id').notNull(),
  repositoryId: uuid('repository_id').notNull(),
  job: text('job').notNull(),
  restorePoints: integer('restore_points').notNull(),
  firstAt: instant('first_at').notNull(),
  lastAt: instant('last_at').notNull(),
});

export const m365Jobs = pgTable('m365_jobs', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  repositoryId: uuid('repository_id').notNull(),
  proxyPoolId: uuid('proxy_pool_id'),
  name: text('name').notNull(),
  description: text('description').notNull(),
  backupType: text('backup_type').$type<NewJob['backupType']>().notNull(),
  selected: jsonb('selected').$type<NewJob['selected']>().notNull(),
  excluded: jsonb('excluded').$type<NewJob['excluded']>().notNull(),
  withChats: boolean('with_chats').notNull(),
  isEnabled: boolean('is_enabled').notNull(),
  schedule: jsonb('schedule').$type<JobSchedule>().notNull(),
  notification: jsonb('notification').$type<Partial<JobNotification>>().notNull().default({}),
  nextRunAt: instant('next_run_at'),
  attempts: integer('attempts').notNull().default(0),
  version: integer('version').notNull().default(1),
  createdAt: instant('created_at').notNull(),
});

export const m365JobSessions = pgTable('m365_job_sessions', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  jobId: uuid('job_id').notNull(),
  repositoryId: uuid('repository_id'),
  startedAt: instant('started_at').notNull(),
  endedAt: instant('ended_at'),
  result: text('result').$type<SessionResult>().notNull(),
  stopAskedAt: instant('stop_asked_at'),
  message: text('message'),
  progress: jsonb('progress').$type<Partial<SessionProgress>>().notNull().default({}),
  workerId: uuid('worker_id'),
  claimedUntil: instant('claimed_until'),
  claims: integer('claims').notNull().default(0),
  engineRun: text('engine_run'),
  restorePoint: text('restore_point'),
  isByHand: boolean('is_by_hand').notNull().default(false),
  countUsersAt: instant('count_users_at').notNull().default('-infinity'),
  hasLog: boolean('has_log').notNull().default(true),
});

export const m365SessionLog = pgTable('m365_session_log', {
  providerId: integer('provider_id').notNull(),
  sessionId: uuid('session_id').notNull(),
  line: bigint('line', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  at: instant('at').notNull(),
  level: text('level').$type<SessionLogLine['level']>().notNull(),
  objectName: text('object_name'),
  text: text('text').notNull(),
});

export const m365Workers = pgTable('m365_workers', {
  id: uuid('id').notNull(),
  name: text('name').notNull(),
  version: text('version').notNull(),
  pool: text('pool'),
  capacity: integer('capacity').notNull(),
  running: integer('running').notNull(),
  startedAt: instant('started_at').notNull(),
  seenAt: instant('seen_at').notNull(),
});

export const m365MaintenancePlans = pgTable('m365_maintenance_plans', {
  providerId: integer('provider_id').notNull(),
  repositoryId: uuid('repository_id').notNull(),
  kind: text('kind').$type<MaintenanceKind>().notNull(),
  isEnabled: boolean('is_enabled').notNull(),
  dailyType: text('daily_type').$type<JobSchedule['dailyType']>().notNull(),
  dailyTime: text('daily_time').notNull(),
  timeZone: text('time_zone').notNull(),
  depth: text('depth').$type<VerifyDepth>().notNull(),
  nextRunAt: instant('next_run_at'),
});

export const m365MaintenanceRuns = pgTable('m365_maintenance_runs', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  repositoryId: uuid('repository_id').notNull(),
  kind: text('kind').$type<MaintenanceKind>().notNull(),
  depth: text('depth').$type<VerifyDepth>().notNull(),
  isDryRun: boolean('is_dry_run').notNull(),
  username: text('username'),
  startedAt: instant('started_at').notNull(),
  endedAt: instant('ended_at'),
  result: text('result').$type<SessionResult>().notNull(),
  message: text('message'),
  claims: integer('claims').notNull().default(0),
  findings: jsonb('findings').$type<readonly Finding[]>().notNull().default([]),
});

export const m365Proofs = pgTable('m365_proofs', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  jobId: uuid('job_id').notNull(),
  repositoryId: uuid('repository_id'),
  username: text('username'),
  startedAt: instant('started_at').notNull(),
  endedAt: instant('ended_at'),
  result: text('result').$type<SessionResult>().notNull(),
  message: text('message'),
  claims: integer('claims').notNull().default(0),
  restorePointAt: instant('restore_point_at'),
  items: integer('items').notNull().default(0),
  bytes: int64('bytes').notNull().default(0),
  sample: jsonb('sample').$type<readonly ProvedItem[]>().notNull().default([]),
});

export const m365ProtectedUsers = pgTable('m365_protected_users', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  objectId: text('object_id').notNull(),
  name: text('name').notNull(),
  address: text('address'),
  mailboxBytes: int64('mailbox_bytes'),
  archiveBytes: int64('archive_bytes'),
  driveBytes: int64('drive_bytes'),
  chatsBytes: int64('chats_bytes'),
  bytes: int64('bytes').notNull().default(0),
});

export const m365UserBackups = pgTable('m365_user_backups', {
  providerId: integer('provider_id').notNull(),
  repositoryId: uuid('repository_id').notNull(),
  objectKey: text('object_key').notNull(),
  userId: uuid('user_id').notNull(),
  part: text('part').$type<UserPart>().notNull(),
  revision: integer('revision').notNull(),
  bytes: int64('bytes').notNull(),
  backedUpAt: instant('backed_up_at').notNull().default('-infinity'),
});

export const m365LicensePeriods = pgTable('m365_license_periods', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  beganOn: day('began_on').notNull(),
  lastBackupOn: day('last_backup_on').notNull(),
});

export const m365DirectoryReads = pgTable('m365_directory_reads', {
  providerId: integer('provider_id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  people: integer('people').notNull().default(0),
  readAt: instant('read_at'),
  nextAt: instant('next_at').notNull(),
  message: text('message'),
});

export const m365UnprotectedPeople = pgTable('m365_unprotected_people', {
  providerId: integer('provider_id').notNull(),
  organizationId: uuid('organization_id').notNull(),
  objectId: text('object_id').notNull(),
  name: text('name').notNull(),
  address: text('address'),
});

export const m365ObjectPoints = pgTable('m365_object_points', {
  providerId: integer('provider_id').notNull(),
  repositoryId: uuid('repository_id').notNull(),
  objectKey: text('object_key').notNull(),
  organizationId: uuid('organization_id').notNull(),
  jobId: uuid('job_id').notNull(),
  kind: text('kind').$type<ObjectKind>().notNull(),
  name: text('name').notNull(),
  seenAt: instant('seen_at').notNull(),
  completeAt: instant('complete_at'),
});
