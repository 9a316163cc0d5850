import { backupAlarms } from '../administration/backups/backup-alarms.ts';
import type { Subscriber } from '../foundation/outbox/domain-events.ts';
import { microsoft365Subscribers } from '../microsoft365/notifications/notify-of-runs.ts';
import { alarmSubscribers } from '../notifications/alarms.ts';
import { connectionSubscribers } from '../notifications/connection-alarms.ts';
import { restoreSubscribers } from '../restore/forget-erased.ts';
import { sourceAlarms } from '../sources/source-alarms.ts';

/** What capabilities do at the events of lower ones. The one place that knows them all. */
export const subscribers: readonly Subscriber[] = [
  ...connectionSubscribers,
  ...alarmSubscribers(sourceAlarms),
  ...alarmSubscribers(backupAlarms),
  ...microsoft365Subscribers,
  ...restoreSubscribers,
];
