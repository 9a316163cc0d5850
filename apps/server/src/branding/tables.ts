import type { Branding } from '@keepwatch/contract/branding/branding';
import type { ImageKind } from '@keepwatch/contract/branding/brands';
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../foundation/columns.ts';
import type { ImageFormat } from './image-format.ts';

/** What a brand has of its own; switches that it does not name have their defaults. */
export type OwnBranding = Partial<
  Omit<Branding, 'features' | 'accentShades'> & { accent: string | null; features: Partial<Branding['features']> }
>;

/** A provider is a tenant and, for those who open its address, a brand. */
export const providers = pgTable('providers', {
  id: integer('id').notNull(),
  name: text('name').notNull(),
  domain: text('domain').notNull(),
  layout: text('layout').$type<Branding['layout']>().notNull().default('keepwatch'),
  branding: jsonb('branding').$type<OwnBranding>().notNull().default({}),
  /** Sealed: what the chat checks identity tokens with. */
  chatSecret: bytes('chat_secret'),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const brandImages = pgTable('brand_images', {
  providerId: integer('provider_id').notNull(),
  kind: text('kind').$type<ImageKind>().notNull(),
  /** New with each upload. */
  id: uuid('id').notNull(),
  type: text('type').$type<ImageFormat['type']>().notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  content: bytes('content').notNull(),
});
