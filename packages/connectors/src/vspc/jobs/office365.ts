import { z } from 'zod';
import type { Read, SourceJob, SourceLogLine, SourceResult } from '../../ports/backup-source.ts';
import type { VspcClient } from '../client.ts';
import { optionalInstant, optionalUid, text, uid } from '../fields.ts';
import type { Listing } from '../listing.ts';
import { list, readLookup } from '../listing.ts';
import { toRun } from '../run.ts';

/** Vb365Job, as far as it is read. */
const jobSchema = z.object({
  instanceUid: uid,
  name: z.string().min(1),
  jobType: text,
  repositoryName: text,
  vb365OrganizationUid: optionalUid,
  vspcOrganizationUid: optionalUid,
  vb365ServerName: text,
  lastRun: optionalInstant,
  nextRun: optionalInstant,
  isEnabled: z.boolean(),
  lastStatus: z.string().nullish(),
  lastStatusDetails: text,
  lastErrorLogRecords: z.array(z.object({ message: z.string(), logType: z.string().nullish() })).nullish(),
});
type Job = z.infer<typeof jobSchema>;

/**
 * Vb365JobLastStatus. A run that a person stopped is a Warning: it saved something, not everything. `Queued` waits for a run
 * that has not begun; `NotConfigured`, `Disconnected`, `Deleting` and `Unknown` do not say how the last run ended.
 */
const RESULTS: Readonly<Record<string, SourceResult>> = {
  Success: 'Success',
  Warning: 'Warning',
  Stopped: 'Warning',
  Failed: 'Failed',
  Running: 'Running',
  Starting: 'Running',
  Stopping: 'Running',
};

const LEVELS: Readonly<Record<string, SourceLogLine['level']>> = { Error: 'error', Warning: 'warning' };

const mappingSchema = z.object({ vb365OrganizationUid: uid, companyUid: uid });

/** Which company a Microsoft organization belongs to, where a job itself does not say it. */
const companyMappings: Listing<{ externalId: string; companyExternalId: string }> = {
  entity: 'company mapping',
  path: 'infrastructure/vb365Servers/organizations/companyMappings',
  read: (raw) => {
    const mapping = mappingSchema.parse(raw);
    return { externalId: mapping.vb365OrganizationUid, companyExternalId: mapping.companyUid };
  },
};

/** Jobs of Veeam Backup for Microsoft 365 servers. They show when a run began but not when it ended. */
export async function* listOffice365Jobs(client: VspcClient, signal: AbortSignal): AsyncIterable<Read<SourceJob>> {
  const mappings = await readLookup(client, companyMappings, signal);
  yield* mappings.failed;
  const jobs: Listing<SourceJob> = {
    entity: 'job',
    path: 'infrastructure/vb365Servers/organizations/jobs',
    read: (raw) => {
      const job = jobSchema.parse(raw);
      const mapping = mappings.byId.get(job.vb365OrganizationUid ?? '');
      return toOffice365Job(job, job.vspcOrganizationUid ?? mapping?.companyExternalId ?? null, client.now());
    },
  };
  yield* list(client, jobs, signal);
}

function toOffice365Job(job: Job, companyExternalId: string | null, now: Date): SourceJob {
  return {
    externalId: job.instanceUid,
    group: 'office365',
    name: job.name,
    companyExternalId,
    jobType: job.jobType,
    isEnabled: job.isEnabled,
    scheduleType: job.isEnabled ? null : 'Disabled',
    intervalMs: null,
    nextRunAt: job.isEnabled ? job.nextRun : null,
    serverName: job.vb365ServerName,
    targetName: job.repositoryName,
    backupSizeBytes: null,
    restorePointCount: null,
    lastRun: toRun(
      {
        startedAt: job.lastRun,
        endedAt: null,
        durationS: null,
        result: RESULTS[job.lastStatus ?? ''] ?? null,
        message: job.lastStatusDetails,
        log: (job.lastErrorLogRecords ?? []).map(toLogLine),
      },
      now,
    ),
  };
}

function toLogLine(record: { message: string; logType?: string | null | undefined }): SourceLogLine {
  return { at: null, level: LEVELS[record.logType ?? ''] ?? 'info', text: record.message };
}
