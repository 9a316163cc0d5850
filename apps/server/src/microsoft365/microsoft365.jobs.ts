import * as z from 'zod/mini';
import type { MailServices } from '../connections/send-mail.ts';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import type { Queue } from '../foundation/queue.ts';
import { countUsers } from './licensing/count-users.ts';
import { endLostMaintenance, planMaintenance } from './maintenance/plan-maintenance.ts';
import { runMaintenanceJob } from './maintenance/run-maintenance.job.ts';
import { runMaintenance } from './maintenance/run-maintenance.ts';
import type { ConnectOrganization, Microsoft365Services } from './microsoft365-services.ts';
import { reportAllJobs } from './monitoring/report-jobs.ts';
import { sendJobMail, sendJobMailJob } from './notifications/send-job-mail.ts';
import { readDirectories } from './people/read-directories.ts';
import { endLostProofs, planProofs } from './proofs/plan-proofs.ts';
import { runProofJob } from './proofs/run-proof.job.ts';
import { runProof } from './proofs/run-proof.ts';
import { measureRepositories } from './repositories/measure-repositories.ts';
import { endUnclaimedSessions } from './sessions/end-unclaimed.ts';
import { planSessions } from './sessions/plan-sessions.ts';
import { tidyMicrosoft365 } from './tidy.ts';

export type Microsoft365JobServices = Pick<Microsoft365Services, 'database' | 'secrets' | 'stored' | 'log' | 'now'> &
  MailServices & { queue: Queue; connect: ConnectOrganization };

const planSessionsJob = declareJob({
  name: 'microsoft365.plan-sessions',
  payload: z.object({}),
  cron: '* * * * *',
  // Jobs that became due while no worker was there begin with the first that is.
  atStart: true,
  concurrency: 1,
  timeLimitSeconds: 55,
});

const measureRepositoriesJob = declareJob({
  name: 'microsoft365.measure-repositories',
  payload: z.object({}),
  // After a run its repository shows within a minute how large it is.
  cron: '* * * * *',
  concurrency: 1,
  timeLimitSeconds: 500,
});

const countUsersJob = declareJob({
  name: 'microsoft365.count-users',
  payload: z.object({}),
  cron: '* * * * *',
  concurrency: 1,
  // The sizes of ten million items take some seconds to sum; what is not counted by then is counted by the next.
  timeLimitSeconds: 500,
});

const tidyJob = declareJob({
  name: 'microsoft365.tidy',
  payload: z.object({}),
  cron: '37 * * * *',
  concurrency: 1,
  // What is left by then goes an hour later.
  timeLimitSeconds: 280,
});

const readDirectoriesJob = declareJob({
  name: 'microsoft365.read-directories',
  payload: z.object({}),
  // Who was connected just now sees within a minute whether all of their people are backed up.
  cron: '* * * * *',
  concurrency: 1,
  timeLimitSeconds: 500,
});

export const microsoft365Jobs: JobWork<Microsoft365JobServices>[] = [
  work(planSessionsJob, async ({ database, queue, now }: Microsoft365JobServices, _payload, signal) => {
    await endUnclaimedSessions(database, now());
    await planSessions(database, now(), signal);
    await endLostMaintenance(database, now());
    await planMaintenance(database, queue, now());
    await endLostProofs(database, now());
    await planProofs(database, queue, now());
    await reportAllJobs(database, now(), signal);
  }),
  work(measureRepositoriesJob, (services: Microsoft365JobServices, _payload, signal) =>
    measureRepositories(services, signal),
  ),
  work(runMaintenanceJob, (services: Microsoft365JobServices, run, signal) => runMaintenance(services, run, signal)),
  work(runProofJob, (services: Microsoft365JobServices, proof, signal) => runProof(services, proof, signal)),
  work(sendJobMailJob, (services: Microsoft365JobServices, mail, signal) => sendJobMail(services, mail, signal)),
  work(readDirectoriesJob, (services: Microsoft365JobServices, _payload, signal) => readDirectories(services, signal)),
  work(countUsersJob, (services: Microsoft365JobServices, _payload, signal) => countUsers(services, signal)),
  work(tidyJob, ({ database, now }: Microsoft365JobServices, _payload, signal) =>
    tidyMicrosoft365(database, now(), signal),
  ),
];
