import { administrationJobs } from '../administration/backups/backups.jobs.ts';
import type { PortalBackupServices } from '../administration/backups/take-portal-backup.ts';
import { secretKeyJobs } from '../administration/secret-key/secret-key.jobs.ts';
import { connectionJobs } from '../connections/connections.jobs.ts';
import { directoryJobs } from '../directory/directory.jobs.ts';
import { executionJobs } from '../executions/executions.jobs.ts';
import { faultJobs } from '../faults/faults.jobs.ts';
import type { JobWork } from '../foundation/jobs.ts';
import { outboxJobs } from '../foundation/outbox/outbox.jobs.ts';
import { identityJobs } from '../identity/identity.jobs.ts';
import { ingestJobs } from '../ingest/ingest.jobs.ts';
import { type Microsoft365JobServices, microsoft365Jobs } from '../microsoft365/microsoft365.jobs.ts';
import { notificationJobs } from '../notifications/notifications.jobs.ts';
import { type RestoreJobServices, restoreJobs } from '../restore/restore.jobs.ts';
import { runJobs } from '../runs/runs.jobs.ts';
import { scheduleJobs } from '../schedules/schedules.jobs.ts';
import type { IntakeServices } from '../sources/source-services.ts';
import { sourceJobs } from '../sources/sources.jobs.ts';
import { supportJobs } from '../support/support.jobs.ts';

/** What jobs may use. */
export type WorkerServices = IntakeServices & Microsoft365JobServices & RestoreJobServices & PortalBackupServices;

/** Every capability's jobs. The one place that knows them all. */
export const works: readonly JobWork<WorkerServices>[] = [
  ...outboxJobs,
  ...connectionJobs,
  ...directoryJobs,
  ...identityJobs,
  ...notificationJobs,
  ...runJobs,
  ...ingestJobs,
  ...scheduleJobs,
  ...executionJobs,
  ...faultJobs,
  ...sourceJobs,
  ...microsoft365Jobs,
  ...restoreJobs,
  ...supportJobs,
  ...administrationJobs,
  ...secretKeyJobs,
];

export const jobs = works.map(({ job }) => job);
