import { sql } from 'drizzle-orm';
import { type Pool, rows } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { deliverNext } from '../foundation/outbox/outbox.ts';
import type { Queue } from '../foundation/queue.ts';
import { deliverAlarm } from '../notifications/alarm-deliveries.ts';
import { subscribers } from '../program/subscribers.ts';

/** Delivers all events and alarms that wait, as a worker does. */
export async function settle(database: Pool, queue: Queue): Promise<void> {
  const parts = { database, queue, subscribers, log: openLog('silent', 'test') };
  while (await deliverNext(parts));
  const due = await rows<{ providerId: number; id: string }>(
    database,
    sql`select d.provider_id as "providerId", d.id from alarm_deliveries d join alarms a on a.provider_id = d.provider_id and a.id = d.alarm_id
        where d.delivered_version <> a.version`,
  );
  for (const delivery of due) await deliverAlarm(database, delivery);
}
