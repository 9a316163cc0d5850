import type { Notification } from '@keepwatch/contract/notifications/notifications';
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../foundation/columns.ts';

export const notifications = pgTable('notifications', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  app: text('app').$type<Notification['app']>().notNull(),
  /** `null`: for all staff of the provider. */
  userId: uuid('user_id'),
  event: text('event').notNull(),
  message: text('message').notNull(),
  severity: text('severity').$type<Notification['severity']>().notNull(),
  hideAck: boolean('hide_ack').notNull().default(false),
  hideClose: boolean('hide_close').notNull().default(false),
  link: text('link'),
  copy: text('copy'),
  createdAt: instant('created_at').notNull().defaultNow(),
  endedAt: instant('ended_at'),
});

export const notificationAcknowledgements = pgTable('notification_acknowledgements', {
  providerId: integer('provider_id').notNull(),
  notificationId: uuid('notification_id').notNull(),
  userId: uuid('user_id').notNull(),
  at: instant('at').notNull().defaultNow(),
});

export const alarms = pgTable('alarms', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  name: text('name').notNull(),
  subjectKind: text('subject_kind').notNull(),
  subjectId: text('subject_id').notNull(),
  app: text('app').$type<Notification['app']>().notNull(),
  severity: text('severity').$type<Notification['severity']>().notNull(),
  message: text('message').notNull(),
  /** Grows with every change: a delivery of a lower version is due. */
  version: integer('version').notNull().default(1),
  raisedAt: instant('raised_at').notNull().defaultNow(),
  closedAt: instant('closed_at'),
});

export const alarmDeliveries = pgTable('alarm_deliveries', {
  providerId: integer('provider_id').notNull(),
  id: uuid('id').notNull(),
  alarmId: uuid('alarm_id').notNull(),
  channel: text('channel').notNull(),
  recipient: text('recipient').notNull(),
  /** 0: not yet. */
  deliveredVersion: integer('delivered_version').notNull().default(0),
});
