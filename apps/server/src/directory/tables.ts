import type { Theme } from '@keepwatch/contract/identity/sessions';
import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../foundation/columns.ts';

export const subProviders = pgTable('sub_providers', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  name: text('name').notNull(),
});

export const companies = pgTable('companies', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  name: text('name').notNull(),
  email: text('email'),
  phone: text('phone'),
  /** As a console last reported them. A user may have entered others, which no sync overwrites. */
  reportedEmail: text('reported_email'),
  reportedPhone: text('reported_phone'),
  isActive: boolean('is_active').notNull().default(true),
  isManaged: boolean('is_managed').notNull().default(true),
  subProviderId: uuid('sub_provider_id'),
  createdAt: instant('created_at').notNull().defaultNow(),
  deletedAt: instant('deleted_at'),
  /** Who deleted it, and why. */
  deletedBy: uuid('deleted_by'),
  deletionReason: text('deletion_reason'),
});

export const users = pgTable('users', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  username: text('username').notNull(),
  email: text('email').notNull(),
  name: text('name').notNull(),
  passwordHash: text('password_hash').notNull(),
  /** The id of the account in the directory of the provider; it has no password here. */
  directoryAccount: uuid('directory_account'),
  /** When the directory last set that account's password, as far as it was asked; what an earlier one opened ends. */
  directoryPasswordSetAt: instant('directory_password_set_at'),
  /** Another person set the password: the user chooses a new one at the next sign-in. */
  mustChangePassword: boolean('must_change_password').notNull().default(false),
  roles: text('roles').array().$type<readonly string[]>().notNull(),
  subProviderId: uuid('sub_provider_id'),
  mobilePhone: text('mobile_phone'),
  officePhone: text('office_phone'),
  /** The page that the user begins with. */
  landingPage: text('landing_page'),
  theme: jsonb('theme').$type<Partial<Theme>>().notNull().default({}),
  createdAt: instant('created_at').notNull().defaultNow(),
  disabledAt: instant('disabled_at'),
  deletedAt: instant('deleted_at'),
});

/** The companies that a user is limited to; none: all of the provider's. */
export const userCompanies = pgTable('user_companies', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  companyId: uuid('company_id').notNull(),
});

/** Links with which a user sets a password: an invitation, or after a forgotten password. */
export const accountLinks = pgTable('account_links', {
  providerId: integer('provider_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  userId: uuid('user_id').notNull(),
  isInvitation: boolean('is_invitation').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/** What the portal stores for a user beside the profile: a value under a key. */
export const preferences = pgTable('preferences', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  key: text('key').notNull(),
  value: jsonb('value').notNull(),
});
