import {
  connectionFails,
  connectionSubject,
  connectionSwitchedOff,
  connectionWorks,
} from '../connections/connection-events.ts';
import { type Subscriber, subscribe } from '../foundation/outbox/domain-events.ts';
import { alarmSubscribers, declareAlarm, raise } from './alarms.ts';
import { STAFF } from './channel.ts';

const connectionFailing = declareAlarm({
  name: 'connections.failing',
  subject: connectionSubject,
  app: 'admin',
  severity: 'error',
  recipients: STAFF,
  text: ({ name, since, reason }: { name: string; since: string; reason: string }) =>
    `The connection "${name}" has been failing since ${since.slice(0, 16).replace('T', ' ')} UTC: ${reason}`,
  clearedBy: [connectionWorks, connectionSwitchedOff],
});

/** Connections are below the notifications and announce how they are, instead of raising the alarm. */
export const connectionSubscribers: readonly Subscriber[] = [
  subscribe(connectionFails, 'raise connections.failing', (connection, subject, failure, { queue }) =>
    raise(queue, connection, connectionFailing, subject, failure),
  ),
  ...alarmSubscribers([connectionFailing]),
];
