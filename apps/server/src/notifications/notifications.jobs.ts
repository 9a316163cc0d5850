import { type JobWork, work } from '../foundation/jobs.ts';
import { deliverAlarm, deliverAlarmJob } from './alarm-deliveries.ts';

export const notificationJobs: JobWork[] = [
  work(deliverAlarmJob, ({ database }, delivery) => deliverAlarm(database, delivery)),
];
