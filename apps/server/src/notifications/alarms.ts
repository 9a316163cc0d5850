import { sql } from 'drizzle-orm';
import { type Connection, row } from '../foundation/database.ts';
import {
  type DomainEvent,
  type Subject,
  type SubjectKind,
  type Subscriber,
  subscribe,
} from '../foundation/outbox/domain-events.ts';
import type { Queue } from '../foundation/queue.ts';
import { newId } from '../foundation/secrets.ts';
import { addDeliveries, sendDeliveries } from './alarm-deliveries.ts';
import type { Delivery, Recipients } from './channel.ts';

/** A state of a subject that people are to see until it is over. */
export interface Alarm<Data = never> {
  /** `capability.what-is-wrong`. */
  name: string;
  subject: SubjectKind;
  /** The application whose pages show it. */
  app: Delivery['app'];
  severity: Delivery['severity'];
  recipients: Recipients;
  text(data: Data): string;
  /** Events of its subject at which it is over. That the subject is removed is always one. */
  clearedBy?: readonly DomainEvent[];
}

export function declareAlarm<Data>(alarm: Alarm<Data>): Alarm<Data> {
  return alarm;
}

/**
 * Raises an alarm about a subject with the transaction of `connection`. While it is open, only its text is renewed, so a state may
 * raise it as often as it is evaluated.
 */
export async function raise<Data>(
  queue: Queue,
  connection: Connection,
  alarm: Alarm<Data>,
  { providerId, id }: Subject,
  data: Data,
): Promise<void> {
  const raised = await row<RaisedAlarm>(
    connection,
    sql`insert into alarms (provider_id, id, name, subject_kind, subject_id, app, severity, message)
        values (${providerId}, ${newId()}, ${alarm.name}, ${alarm.subject.kind}, ${id}, ${alarm.app}, ${alarm.severity}, ${alarm.text(data)})
        on conflict (provider_id, name, subject_id) where closed_at is null
        do update set message = excluded.message, version = alarms.version + 1 where alarms.message <> excluded.message
        returning provider_id as "providerId", id`,
  );
  // It is open with this text.
  if (raised === null) return;
  await addDeliveries(connection, raised, alarm.recipients);
  await sendDeliveries(queue, connection, raised);
}

interface RaisedAlarm {
  providerId: number;
  id: string;
}

/** Closes an alarm about a subject with the transaction of `connection`. Does nothing if none is open. */
export async function clear(
  queue: Queue,
  connection: Connection,
  { name }: Pick<Alarm, 'name'>,
  subject: Subject,
): Promise<void> {
  const closed = await row<RaisedAlarm>(
    connection,
    sql`update alarms set closed_at = now(), version = version + 1
        where provider_id = ${subject.providerId} and name = ${name} and subject_id = ${subject.id} and closed_at is null
        returning provider_id as "providerId", id`,
  );
  if (closed !== null) await sendDeliveries(queue, connection, closed);
}

/** Closes alarms at the events that end them: each at its own, and all of a subject that is removed. */
export function alarmSubscribers(alarms: readonly Pick<Alarm, 'name' | 'subject' | 'clearedBy'>[]): Subscriber[] {
  return alarms.flatMap((alarm) =>
    [alarm.subject.removed, ...(alarm.clearedBy ?? [])].map((event) =>
      subscribe(event, `clear ${alarm.name}`, (connection, subject, _payload, { queue }) =>
        clear(queue, connection, alarm, subject),
      ),
    ),
  );
}
