import * as z from 'zod/mini';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { type CheckServices, checkUnusedConnections } from './check-unused.ts';

const checkUnusedJob = declareJob({
  name: 'connections.check-unused',
  payload: z.object({}),
  cron: '37 1 * * *',
  concurrency: 1,
  timeLimitSeconds: 3_600,
});

export const connectionJobs: JobWork<CheckServices>[] = [
  work(checkUnusedJob, (services: CheckServices, _payload, signal) => checkUnusedConnections(services, signal)),
];
