import * as z from 'zod/mini';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { endDeadSyncs, planSyncs } from './plan-syncs.ts';
import type { IntakeServices } from './source-services.ts';
import { syncSource } from './sync/sync.ts';
import { syncJob } from './sync-job.ts';

const planSyncsJob = declareJob({
  name: 'sources.plan-syncs',
  payload: z.object({}),
  cron: '* * * * *',
  // Sources show their state within seconds of a start, instead of at the next full minute.
  atStart: true,
  concurrency: 1,
  timeLimitSeconds: 55,
});

export const sourceJobs: JobWork<IntakeServices>[] = [
  work(syncJob, async (services: IntakeServices, requested, signal) => {
    const outcome = await syncSource(services, requested, signal);
    // A request is not fulfilled by a sync that was stopped, nor by another one that runs.
    if (requested.isRequested && outcome !== 'ended') throw new Error(`The requested sync was ${outcome}.`);
  }),

  work(planSyncsJob, async (services: IntakeServices) => {
    await endDeadSyncs(services);
    await planSyncs(services);
  }),
];
