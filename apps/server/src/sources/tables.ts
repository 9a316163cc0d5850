import type { FailedEntity } from '@keepwatch/connectors/ports/backup-source';
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';
import { executionResult } from '../runs/enums.ts';

export const syncRuns = pgTable('sync_runs', {
  providerId: integer('provider_id').notNull(),
  sourceId: uuid('source_id').notNull(),
  startedAt: instant('started_at').notNull(),
  endedAt: instant('ended_at'),
  status: text('status').notNull(),
  failed: jsonb('failed').$type<readonly FailedEntity[]>().notNull().default([]),
  failedCount: integer('failed_count').notNull().default(0),
  counts: jsonb('counts').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
});

export const unmatchedRuns = pgTable('unmatched_runs', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  sourceId: uuid('source_id').notNull(),
  externalId: text('external_id').notNull(),
  jobName: text('job_name').notNull(),
  companyId: uuid('company_id'),
  startedAt: instant('started_at').notNull(),
  result: executionResult('result').notNull(),
  message: text('message'),
});
