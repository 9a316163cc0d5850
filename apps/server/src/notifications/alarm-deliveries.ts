import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Connection, type Pool, row, rows, transaction } from '../foundation/database.ts';
import { declareJob } from '../foundation/jobs.ts';
import type { Queue } from '../foundation/queue.ts';
import { newId } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import type { Delivery, Recipients } from './channel.ts';
import { CHANNELS } from './channels.ts';
import { alarmDeliveries, alarms } from './tables.ts';

interface RowOfProvider {
  providerId: number;
  id: string;
}

export const deliverAlarmJob = declareJob({
  name: 'notifications.deliver-alarm',
  payload: z.object({ providerId: z.int(), id: z.uuid() }),
  key: ({ providerId, id }) => `${providerId} ${id}`,
  // About twenty minutes; from then on the maintenance sends it again every hour.
  retry: { times: 8, firstPauseSeconds: 5, longestPauseSeconds: 3_600 },
  concurrency: 4,
  timeLimitSeconds: 60,
});

/** Adds a delivery for each recipient and channel of an alarm that has none yet. */
export async function addDeliveries(
  connection: Connection,
  alarm: RowOfProvider,
  recipients: Recipients,
): Promise<void> {
  for (const channel of CHANNELS)
    for (const recipient of await channel.recipientsOf(connection, alarm.providerId, recipients))
      await insert(
        connection,
        alarmDeliveries,
        { providerId: alarm.providerId, id: newId(), alarmId: alarm.id, channel: channel.name, recipient },
        sql`on conflict (provider_id, alarm_id, channel, recipient) do nothing`,
      );
}

/** Sends a job for each delivery of an alarm that changed. */
export async function sendDeliveries(queue: Queue, connection: Connection, alarm: RowOfProvider): Promise<void> {
  const deliveries = await rows<RowOfProvider>(
    connection,
    sql`select provider_id as "providerId", id from alarm_deliveries
        where provider_id = ${alarm.providerId} and alarm_id = ${alarm.id} order by id`,
  );
  for (const delivery of deliveries) await queue.send(connection, deliverAlarmJob, delivery);
}

/** Sends a job for each delivery that is due: the attempts of its last one may be used up. One that still waits is joined. */
export async function sendDueDeliveries(queue: Queue, connection: Connection): Promise<void> {
  const due = await rows<RowOfProvider>(
    connection,
    sql`select d.provider_id as "providerId", d.id
        from alarm_deliveries d join alarms a on a.provider_id = d.provider_id and a.id = d.alarm_id
        where d.delivered_version < a.version order by d.provider_id, d.id`,
  );
  for (const delivery of due) await queue.send(connection, deliverAlarmJob, delivery);
}

const CLOSED_DAYS = 90;

/** Deletes alarms that were closed three months ago, with their deliveries. One whose end was not delivered stays: its banner is still open. */
export async function removeOldAlarms(connection: Connection, now: Date): Promise<void> {
  await remove(
    connection,
    alarms,
    sql`closed_at < ${now}::timestamptz - make_interval(days => ${CLOSED_DAYS})
      and not exists (select from alarm_deliveries d
        where d.provider_id = alarms.provider_id and d.alarm_id = alarms.id and d.delivered_version < alarms.version)`,
  );
}

interface DueDelivery extends Delivery {
  channel: string;
  version: number;
  deliveredVersion: number;
}

/**
 * Delivers the present state of an alarm to one recipient, unless that was done. An alarm that was closed before a user saw it
 * is not delivered at all.
 */
export async function deliverAlarm(database: Pool, { providerId, id }: RowOfProvider): Promise<void> {
  await transaction(database, async (connection) => {
    const due = await lockDelivery(connection, providerId, id);
    if (due === null || due.deliveredVersion >= due.version) return;
    const channel = CHANNELS.find(({ name }) => name === due.channel);
    if (channel === undefined) throw new Error(`There is no channel ${due.channel}.`);
    if (due.isAgain || !due.isClosed) await channel.deliver(connection, due);
    await update(connection, alarmDeliveries, { deliveredVersion: due.version }, { providerId, id });
  });
}

/** Locks both rows: a delivery that waited for another one then sees the version that is there now, not that of its snapshot. */
function lockDelivery(connection: Connection, providerId: number, id: string): Promise<DueDelivery | null> {
  return row<DueDelivery>(
    connection,
    sql`select d.provider_id as "providerId", d.id, d.recipient, d.channel, d.delivered_version as "deliveredVersion",
          a.name || '.' || a.subject_id as event, a.app, a.severity, a.message, a.version,
          a.closed_at is not null as "isClosed", d.delivered_version > 0 as "isAgain"
        from alarm_deliveries d join alarms a on a.provider_id = d.provider_id and a.id = d.alarm_id
        where d.provider_id = ${providerId} and d.id = ${id} for update of d, a`,
  );
}
