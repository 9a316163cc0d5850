import { integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { day, instant } from '../foundation/columns.ts';

/** By which clock the runs of a provider are counted, from an instant on; without a row it is UTC. */
export const dayClocks = pgTable('day_clocks', {
  providerId: integer('provider_id').notNull(),
  fromAt: instant('from_at').notNull(),
  timeZone: text('time_zone').notNull(),
  beginHour: smallint('begin_hour').notNull(),
  /** The zone in whose place this one is, because the server no longer knows it. */
  unknownTimeZone: text('unknown_time_zone'),
  recountedFrom: day('recounted_from'),
});
