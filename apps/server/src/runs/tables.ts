import type { CauseReason, FaultKind } from '@keepwatch/contract/faults/values';
import type { Anomaly } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, day, instant, int64 } from '../foundation/columns.ts';
import type { Attempt, StoredLine } from './attempt.ts';
import { dataSourceGroup, executionResult, executionState } from './enums.ts';
import type { StoredNote } from './execution-notes.ts';

/** Where jobs and runs come from: a console, with the id of its connection, or what tools report (one row a provider). */
export const sources = pgTable('sources', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  /** The kind of its connector, or `intake`. */
  kind: text('kind').notNull(),
  name: text('name').notNull(),
  isEnabled: boolean('is_enabled').notNull().default(true),
  syncIntervalMinutes: integer('sync_interval_minutes').notNull().default(5),
  historyReadTo: instant('history_read_to'),
  createdAt: instant('created_at').notNull().defaultNow(),
  deletedAt: instant('deleted_at'),
});

/** Below `removedAt` is the job state: it changes with every run, so none of these columns has an index. */
export const jobs = pgTable('jobs', {
  providerId: integer('provider_id').notNull(),
  jobInstanceUid: uuid('job_instance_uid').notNull(),
  sourceId: uuid('source_id').notNull(),
  externalId: text('external_id').notNull(),
  sourceGroup: dataSourceGroup('source_group').notNull(),
  name: text('name').notNull(),
  companyId: uuid('company_id'),
  jobType: text('job_type'),
  isEnabled: boolean('is_enabled').notNull().default(true),
  scheduleType: text('schedule_type'),
  intervalMs: int64('interval_ms'),
  nextRunAt: instant('next_run_at'),
  serverName: text('server_name'),
  targetName: text('target_name'),
  backupSizeBytes: int64('backup_size_bytes'),
  restorePointCount: integer('restore_point_count'),
  sharedBy: integer('shared_by'),
  sharedJob: uuid('shared_job'),
  /** The tool that reports it, by name, and the token with which it did so last. */
  tool: text('tool'),
  intakeTokenId: uuid('intake_token_id'),
  firstSeenAt: instant('first_seen_at').notNull().defaultNow(),
  removedAt: instant('removed_at'),
  lastExecutionId: uuid('last_execution_id'),
  lastStartedAt: instant('last_started_at'),
  lastEndedAt: instant('last_ended_at'),
  lastResult: executionResult('last_result'),
  /** Whether the newest run needs no attention, so that no fault is open after it; `false` also where that is not known. */
  isLastFine: boolean('is_last_fine').notNull().default(false),
  lastSuccessAt: instant('last_success_at'),
  expectedAt: instant('expected_at'),
  overdueAt: instant('overdue_at'),
  scheduledSince: instant('scheduled_since'),
  lastMissedAt: instant('last_missed_at'),
  baseline: bytes('baseline'),
  /** `false`: its runs are older than the table of faults, which does not have theirs yet. */
  areFaultsKnown: boolean('are_faults_known').notNull().default(true),
});

export const jobIgnores = pgTable('job_ignores', {
  providerId: integer('provider_id').notNull(),
  jobInstanceUid: uuid('job_instance_uid').notNull(),
  kind: text('kind').$type<'didnt-run' | 'disabled'>().notNull(),
  /** `null`: for good. */
  ignoredUntil: instant('ignored_until'),
  userId: uuid('user_id'),
  at: instant('at').notNull().defaultNow(),
});

/** Partitioned by month of the start. */
export const jobExecutions = pgTable('job_executions', {
  providerId: integer('provider_id').notNull(),
  startedAt: instant('started_at').notNull(),
  id: uuid('id').notNull(),
  jobInstanceUid: uuid('job_instance_uid').notNull(),
  companyId: uuid('company_id'),
  endedAt: instant('ended_at'),
  durationMs: int64('duration_ms'),
  transferredBytes: int64('transferred_bytes'),
  processedBytes: int64('processed_bytes'),
  processedFiles: int64('processed_files'),
  sizeBytes: int64('size_bytes'),
  sourceGroup: dataSourceGroup('source_group').notNull(),
  result: executionResult('result').notNull(),
  state: executionState('state').notNull(),
  attempts: smallint('attempts').notNull().default(1),
  isDoubtful: boolean('is_doubtful').notNull().default(false),
  anomalies: text('anomalies').$type<Anomaly>().array().notNull().default([]),
  message: text('message'),
  ignoredUntil: instant('ignored_until'),
  notes: jsonb('notes').$type<readonly StoredNote[]>(),
  changedBy: uuid('changed_by'),
  changedByName: text('changed_by_name'),
  changedAt: instant('changed_at'),
});

/** Partitioned by month of the start. */
export const jobExecutionLogs = pgTable('job_execution_logs', {
  providerId: integer('provider_id').notNull(),
  startedAt: instant('started_at').notNull(),
  executionId: uuid('execution_id').notNull(),
  lines: jsonb('lines').$type<readonly StoredLine[]>().notNull().default([]),
  /** The earlier attempts of a run that took several. */
  attempts: jsonb('attempts').$type<readonly Attempt[]>().notNull().default([]),
});

/** Made from `job_executions`: an unbroken sequence of runs of one job that are not fine. */
export const faults = pgTable('faults', {
  providerId: integer('provider_id').notNull(),
  /** That of its first run. */
  id: uuid('id').notNull(),
  jobInstanceUid: uuid('job_instance_uid').notNull(),
  companyId: uuid('company_id'),
  sourceGroup: dataSourceGroup('source_group').notNull(),
  openedAt: instant('opened_at').notNull(),
  fineAt: instant('fine_at'),
  lastStartedAt: instant('last_started_at').notNull(),
  lastExecutionId: uuid('last_execution_id').notNull(),
  runs: integer('runs').notNull(),
  closedAt: instant('closed_at'),
  kind: text('kind').$type<FaultKind>().notNull(),
  state: executionState('state').notNull(),
  ignoredUntil: instant('ignored_until'),
  changedBy: uuid('changed_by'),
  changedByName: text('changed_by_name'),
  changedAt: instant('changed_at'),
  causeKey: text('cause_key').notNull(),
  causeWhy: text('cause_why').$type<CauseReason>().notNull(),
  causeSubject: text('cause_subject'),
  /** Its last run has a note. */
  isNoted: boolean('is_noted').notNull().default(false),
  /** It is open, and the source of its job no longer has that. */
  isJobRemoved: boolean('is_job_removed').notNull().default(false),
  place: smallint('place').notNull().generatedAlwaysAs(inItsMigration),
});

/** Partitioned by month. */
export const jobDays = pgTable('job_days', {
  providerId: integer('provider_id').notNull(),
  day: day('day').notNull(),
  jobInstanceUid: uuid('job_instance_uid').notNull(),
  companyId: uuid('company_id'),
  sourceGroup: dataSourceGroup('source_group').notNull(),
  ...sums(),
  durationMsMax: int64('duration_ms_max').notNull().default(0),
  letter: text('letter').notNull().generatedAlwaysAs(inItsMigration),
});

export const companyDays = pgTable('company_days', {
  providerId: integer('provider_id').notNull(),
  day: day('day').notNull(),
  /** Zeros: runs of no company. */
  companyId: uuid('company_id').notNull(),
  sourceGroup: dataSourceGroup('source_group').notNull(),
  ...sums(),
});

export const providerDays = pgTable('provider_days', {
  providerId: integer('provider_id').notNull(),
  day: day('day').notNull(),
  sourceGroup: dataSourceGroup('source_group').notNull(),
  ...sums(),
});

/** The sums of a day of runs. */
function sums() {
  return {
    success: integer('success').notNull().default(0),
    warning: integer('warning').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    running: integer('running').notNull().default(0),
    didntRun: integer('didnt_run').notNull().default(0),
    anomalies: integer('anomalies').notNull().default(0),
    transferredBytes: int64('transferred_bytes').notNull().default(0),
    unmeasured: integer('unmeasured').notNull().default(0),
  };
}

/** The expression of a generated column is in its migration alone. */
function inItsMigration(): SQL {
  return sql``;
}
