import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';
import { executionResult } from '../runs/enums.ts';

export const hints = pgTable('hints', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  title: text('title').notNull(),
  text: text('text').notNull(),
  words: text('words').notNull(),
  phrases: text('phrases').array().$type<readonly string[]>().notNull(),
  result: executionResult('result'),
  sourceGroups: text('source_groups').array().$type<readonly string[]>().notNull(),
  jobTypes: text('job_types').array().$type<readonly string[]>().notNull(),
  isActive: boolean('is_active').notNull(),
  updatedAt: instant('updated_at').notNull(),
});
