import { type JobWork, work } from '../foundation/jobs.ts';
import { makeDownloadJob } from './downloads/make-download.job.ts';
import { makeDownload } from './downloads/make-download.ts';
import { runRestoreJob } from './operations/run-restore.job.ts';
import { runRestore } from './operations/run-restore.ts';
import type { RestoreServices } from './restore-services.ts';
import { tidyJob } from './tidy.job.ts';
import { tidy } from './tidy.ts';

/** What a job needs: the worker has the services of restores under a name of their own. */
export interface RestoreJobServices {
  restore: RestoreServices;
}

export const restoreJobs: JobWork<RestoreJobServices>[] = [
  work(runRestoreJob, ({ restore }: RestoreJobServices, { providerId, operationId: id }, signal) =>
    runRestore(restore, { providerId, id }, signal),
  ),
  work(makeDownloadJob, ({ restore }: RestoreJobServices, { providerId, downloadId: id }, signal) =>
    makeDownload(restore, { providerId, id }, signal),
  ),
  work(tidyJob, ({ restore }: RestoreJobServices, _payload, signal) => tidy(restore, signal)),
];
