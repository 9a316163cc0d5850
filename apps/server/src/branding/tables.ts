import type { Branding } from '@keepwatch/contract/branding/branding';
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';

/** A provider is a tenant and, for those who open its address, a brand. */
export const providers = pgTable('providers', {
  id: integer('id').notNull(),
  name: text('name').notNull(),
  domain: text('domain').notNull(),
  layout: text('layout').$type<Branding['layout']>().notNull().default('keepwatch'),
  branding: jsonb('branding').$type<Partial<Branding>>().notNull().default({}),
  createdAt: instant('created_at').notNull().defaultNow(),
});
