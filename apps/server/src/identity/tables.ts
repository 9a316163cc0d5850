import type { GroupLine } from '@keepwatch/contract/identity/identity-providers';
import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, int64 } from '../foundation/columns.ts';

export const sessions = pgTable('sessions', {
  tokenHash: bytes('token_hash').notNull(),
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  address: text('address'),
  id: uuid('id').notNull().defaultRandom(),
  device: text('device'),
  lastAt: instant('last_at').notNull().defaultNow(),
  /** Of the session of the administrator who acts as the user. */
  parentHash: bytes('parent_hash'),
  /** The user has to add a second factor before anything else opens. */
  mustEnrol: boolean('must_enrol').notNull().default(false),
});

/** Keys with which programs of a user call the portal. */
export const apiKeys = pgTable('api_keys', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  userId: uuid('user_id').notNull(),
  name: text('name').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  abilities: text('abilities').array().$type<readonly string[]>().notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  lastAt: instant('last_at'),
  lastAddress: text('last_address'),
});

export const signInAttempts = pgTable('sign_in_attempts', {
  providerId: integer('provider_id').notNull(),
  kind: text('kind').notNull(),
  key: text('key').notNull(),
  count: integer('count').notNull(),
  since: instant('since').notNull(),
});

export const signInDevices = pgTable('sign_in_devices', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  createdAt: instant('created_at').notNull(),
  lastAt: instant('last_at').notNull(),
  /** Until then no second factor is asked for here. */
  trustedUntil: instant('trusted_until'),
});

/** The authenticator app of a user. It counts once a code has confirmed it. */
export const authenticators = pgTable('authenticators', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  /** Sealed. */
  secret: bytes('secret').notNull(),
  /** Time step of the last code that counted. */
  lastStep: int64('last_step').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  confirmedAt: instant('confirmed_at'),
  lastUsedAt: instant('last_used_at'),
});

export const passkeys = pgTable('passkeys', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  userId: uuid('user_id').notNull(),
  credentialId: text('credential_id').notNull(),
  publicKey: bytes('public_key').notNull(),
  signCount: int64('sign_count').notNull(),
  transports: text('transports').array().$type<readonly string[]>().notNull(),
  name: text('name').notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
});

/** The phone to which codes are sent, once one has come back. */
export const phones = pgTable('phones', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  number: text('number').notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
});

export const smsCodes = pgTable('sms_codes', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  userId: uuid('user_id').notNull(),
  purpose: text('purpose').notNull(),
  number: text('number').notNull(),
  /** Id of the service that has made the code; `null` until the message was accepted. */
  verification: text('verification'),
  sentAt: instant('sent_at').notNull(),
  tries: integer('tries').notNull().default(0),
  usedAt: instant('used_at'),
});

export const recoveryCodes = pgTable('recovery_codes', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  codeHash: bytes('code_hash').notNull(),
  usedAt: instant('used_at'),
});

/** What was begun and is to be proved with a second factor. */
export const signInChallenges = pgTable('sign_in_challenges', {
  providerId: integer('provider_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  purpose: text('purpose').notNull(),
  userId: uuid('user_id'),
  expiresAt: instant('expires_at').notNull(),
});

export const signInRules = pgTable('sign_in_rules', {
  providerId: integer('provider_id').notNull(),
  requiresSecondFactor: boolean('requires_second_factor').notNull(),
});

/** The secret questions of a user, in the order of all questions, and one hash of the answers. */
export const secretQuestions = pgTable('secret_questions', {
  providerId: integer('provider_id').notNull(),
  userId: uuid('user_id').notNull(),
  questions: text('questions').array().$type<readonly string[]>().notNull(),
  answersHash: text('answers_hash').notNull(),
});

export const setupLinks = pgTable('setup_links', {
  tokenHash: bytes('token_hash').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});

/** Which roles and companies the groups of an identity provider give. */
export const groupRoles = pgTable('group_roles', {
  providerId: integer('provider_id').notNull(),
  connectionId: uuid('connection_id').notNull(),
  lines: jsonb('lines').$type<readonly GroupLine[]>().notNull(),
});

/** What users who sign in through an identity provider are known as there. */
export const userIdentities = pgTable('user_identities', {
  providerId: integer('provider_id').notNull(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  userId: uuid('user_id').notNull(),
  createdAt: instant('created_at').notNull(),
  lastAt: instant('last_at').notNull(),
});

/** Sign-ins that were begun at an identity provider. */
export const begunSignIns = pgTable('begun_sign_ins', {
  providerId: integer('provider_id').notNull(),
  stateHash: bytes('state_hash').notNull(),
  browserHash: bytes('browser_hash').notNull(),
  connectionId: uuid('connection_id').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
