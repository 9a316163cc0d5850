import { sql } from 'drizzle-orm';
import { IS_ONE_JOB } from '../executions/shared-jobs.ts';
import { type Connection, row } from '../foundation/database.ts';
import { raise, withdraw } from '../notifications/notifications.ts';
import type { StoredSource } from './stored-source.ts';

/** Minimum number of vanished jobs of a group, when fewer are left than have gone. Users rarely remove so many at once. */
const REPORTED_FROM = 10;
const LATELY_DAYS = 7;

/** Each source has at most one open banner. */
export function vanishedEvent(sourceId: string): string {
  return `monitoring.jobs-vanished.${sourceId}`;
}

/**
 * Notifies the provider's staff when most jobs of a group have left a source within the last days, and withdraws the notification
 * when they have returned, or after a week. A console does not list what its account may no longer see, and reports no
 * error, so without a notification all failures would disappear from the lists unnoticed.
 */
export async function announceVanished(
  connection: Connection,
  source: Pick<StoredSource, 'providerId' | 'id' | 'name'>,
  now: Date,
): Promise<void> {
  const event = vanishedEvent(source.id);
  const found = await row<{ gone: number }>(
    connection,
    sql`select coalesce(sum(g.gone), 0) as gone from (
          select count(*) filter (where j.removed_at > ${now}::timestamptz - make_interval(days => ${LATELY_DAYS})) as gone,
            count(*) filter (where j.removed_at is null) as left
          from jobs j where j.provider_id = ${source.providerId} and j.source_id = ${source.id} and ${IS_ONE_JOB} group by j.source_group) g
        where g.gone >= ${REPORTED_FROM} and g.gone > g.left`,
  );
  const gone = Number(found?.gone ?? 0);
  if (gone === 0) return withdraw(connection, source.providerId, event);
  const message = `${gone} jobs have disappeared from source "${source.name}" and are no longer monitored. If they were not deleted there, check the permissions of the account this portal uses.`;
  await raise(connection, source.providerId, { app: 'monitoring', event, message, severity: 'warning' });
}
