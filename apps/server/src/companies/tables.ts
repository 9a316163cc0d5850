import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';

export const companyNotes = pgTable('company_notes', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  companyId: uuid('company_id').notNull(),
  userId: uuid('user_id').notNull(),
  username: text('username').notNull(),
  at: instant('at').notNull(),
  content: text('content').notNull(),
});

export const companyContacts = pgTable('company_contacts', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  companyId: uuid('company_id').notNull(),
  name: text('name').notNull(),
  role: text('role'),
  email: text('email'),
  phone: text('phone'),
});
