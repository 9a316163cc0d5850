import type { Branding } from '@keepwatch/contract/branding/branding';
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';

/** What a brand has of its own; switches that it does not name have their defaults. */
export type OwnBranding = Partial<Omit<Branding, 'features'> & { features: Partial<Branding['features']> }>;

/** A provider is a tenant and, for those who open its address, a brand. */
export const providers = pgTable('providers', {
  id: integer('id').notNull(),
  name: text('name').notNull(),
  domain: text('domain').notNull(),
  layout: text('layout').$type<Branding['layout']>().notNull().default('keepwatch'),
  branding: jsonb('branding').$type<OwnBranding>().notNull().default({}),
  createdAt: instant('created_at').notNull().defaultNow(),
});
