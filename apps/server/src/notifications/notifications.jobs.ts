import * as z from 'zod/mini';
import { declareJob, type JobServices, type JobWork, work } from '../foundation/jobs.ts';
import type { Queue } from '../foundation/queue.ts';
import { deliverAlarm, deliverAlarmJob, removeOldAlarms, sendDueDeliveries } from './alarm-deliveries.ts';

const maintainAlarmsJob = declareJob({
  name: 'notifications.maintain-alarms',
  payload: z.object({}),
  cron: '11 * * * *',
  concurrency: 1,
  timeLimitSeconds: 300,
});

interface NotificationServices extends JobServices {
  queue: Queue;
}

export const notificationJobs: JobWork<NotificationServices>[] = [
  work(deliverAlarmJob, ({ database }: NotificationServices, delivery) => deliverAlarm(database, delivery)),

  work(maintainAlarmsJob, async ({ database, queue, now }: NotificationServices) => {
    await sendDueDeliveries(queue, database);
    await removeOldAlarms(database, now());
  }),
];
