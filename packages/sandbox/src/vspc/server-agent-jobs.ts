import { lastEndedAttempt } from '../world/history.ts';
import type { ServerJob } from '../world/job.ts';
import { unit } from '../world/random.ts';
import { toServerJob } from './server-jobs.ts';

/** The additional fields of a job for agents. @param isExpanded whether `expand=BackupServerJob` was asked */
export function toServerAgentJob(job: ServerJob, isExpanded: boolean, nowMs: number) {
  const last = lastEndedAttempt(job, nowMs);
  const total = job.objects.length;
  const isWindows = job.system === 'Windows';
  const isWhole = unit(job.id, 240) < 0.6;
  return {
    instanceUid: job.instanceUid,
    uniqueUid: job.uid,
    totalJobsCount: total,
    successJobsCount: last === undefined ? 0 : last.result === 'Success' ? total : total - 1,
    destination: job.repository?.name ?? '',
    source: {
      backupMode: isWhole ? 'EntireComputer' : 'Volume',
      backupUserFolders: false,
      backupOperatingSystem: true,
      fileSystemItems: isWhole ? null : { volumes: [isWindows ? 'C:\\' : '/'], filesAndFolders: [] },
    },
    jobMode: job.type === 'AgentPolicy' ? 'ManagedByAgent' : 'ManagedByBackupServer',
    osType: job.system,
    licenseType: 'Server',
    _embedded: isExpanded ? { backupServerJob: toServerJob(job, nowMs) } : null,
  };
}
