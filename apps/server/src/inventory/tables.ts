import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { day, decimal, instant, int64 } from '../foundation/columns.ts';

export const repositories = pgTable('repositories', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  sourceId: uuid('source_id').notNull(),
  externalId: text('external_id').notNull(),
  companyId: uuid('company_id'),
  name: text('name').notNull(),
  kind: text('kind'),
  serverName: text('server_name'),
  path: text('path'),
  status: text('status'),
  capacityBytes: int64('capacity_bytes'),
  freeBytes: int64('free_bytes'),
  usedBytes: int64('used_bytes'),
  readAt: instant('read_at').notNull(),
  removedAt: instant('removed_at'),
});

export const repositoryDays = pgTable('repository_days', {
  providerId: integer('provider_id').notNull(),
  repositoryId: uuid('repository_id').notNull(),
  day: day('day').notNull(),
  capacityBytes: int64('capacity_bytes'),
  freeBytes: int64('free_bytes'),
  usedBytes: int64('used_bytes'),
});

export const computers = pgTable('computers', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  sourceId: uuid('source_id').notNull(),
  externalId: text('external_id').notNull(),
  companyId: uuid('company_id'),
  hostName: text('host_name').notNull(),
  fqdn: text('fqdn'),
  operatingSystem: text('operating_system'),
  platform: text('platform'),
  ipAddresses: text('ip_addresses').array().$type<readonly string[]>().notNull().default([]),
  status: text('status'),
  agentInstallationStatus: text('agent_installation_status'),
  agentManagementStatus: text('agent_management_status'),
  lastSeenAt: instant('last_seen_at'),
  removedAt: instant('removed_at'),
  ignoredAt: instant('ignored_at'),
  note: text('note'),
});

export const licenceUsage = pgTable('licence_usage', {
  providerId: integer('provider_id').notNull(),
  sourceId: uuid('source_id').notNull(),
  companyId: uuid('company_id').notNull(),
  /** Its first day. */
  month: day('month').notNull(),
  serverExternalId: text('server_external_id').notNull().default(''),
  workload: text('workload').notNull(),
  unitType: text('unit_type'),
  usedCount: decimal('used_count'),
  usedUnits: decimal('used_units'),
  newUnits: decimal('new_units'),
  rentalUnits: decimal('rental_units'),
  readAt: instant('read_at').notNull(),
});
