import { endedAttempts } from '../world/history.ts';
import type { Job, ServerJobType } from '../world/job.ts';
import { type Attempt, sessionUid } from '../world/runs.ts';
import { allJobs, type World } from '../world/world.ts';
import { badParameter } from './errors.ts';
import { instant, seconds } from './instants.ts';

/**
 * The session heatmap: all sessions that started in [from, to) and have ended, day by day (UTC), each with the names of
 * job and organization but without the id of the job.
 */
export function toHeatmap(world: World, fromMs: number, toMs: number, nowMs: number) {
  const attempts = allJobs(world)
    .flatMap((job) => endedAttempts(job, fromMs, toMs, nowMs))
    .sort((one, other) => one.startMs - other.startMs || one.job.id - other.job.id);
  const count = (result: Attempt['result']) => attempts.filter((attempt) => attempt.result === result).length;
  const days = Map.groupBy(attempts, (attempt) => new Date(attempt.startMs).toISOString().slice(0, 10));
  return {
    successJobsCount: count('Success'),
    warningJobsCount: count('Warning'),
    failJobsCount: count('Failed'),
    dataPerDays: [...days].map(([date, sessions]) => ({ date, sessions: sessions.map(toSession) })),
  };
}

/** @throws VendorError 400 when a bound is missing, no instant, or the wrong way round */
export function heatmapRange(query: Record<string, unknown>): { fromMs: number; toMs: number } {
  const fromMs = boundOf(query, 'from');
  const toMs = boundOf(query, 'to');
  if (toMs < fromMs) throw badParameter('to', 'Property value must be later than the value of the from parameter.');
  return { fromMs, toMs };
}

function boundOf(query: Record<string, unknown>, name: string): number {
  const value = query[name];
  if (typeof value !== 'string' || value === '') throw badParameter(name, `Parameter ${name} is required.`);
  // A plus of an offset that was not encoded arrives as a space.
  const ms = /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value.replace(' ', '+')) : Number.NaN;
  if (Number.isNaN(ms)) throw badParameter(name, `Value '${value}' is not a valid date-time.`);
  return ms;
}

function toSession(attempt: Attempt) {
  const { job } = attempt;
  return {
    jobName: job.name,
    serverName: job.server.name,
    managementAgentUid: job.product === 'agent' ? job.agent.managementAgentUid : job.server.managementAgentUid,
    locationName: job.server.locationName,
    locationUid: job.server.locationUid,
    organizationName: job.organizationName,
    organizationUid: job.organizationUid,
    startTime: instant(attempt.startMs),
    endTime: instant(attempt.endMs),
    duration: seconds(attempt.startMs, attempt.endMs),
    sessionUid: sessionUid(attempt),
    failureMessage: attempt.message ?? null,
    timeShiftMinutes: job.offsetMinutes,
    result: attempt.result,
    ...kindOf(job),
  };
}

const serverKinds: Record<ServerJobType, { jobType: string; workloadType: string }> = {
  BackupVm: { jobType: 'Backup', workloadType: 'Vm' },
  BackupCopy: { jobType: 'BackupCopy', workloadType: 'Vm' },
  SimpleBackupCopy: { jobType: 'BackupCopy', workloadType: 'Vm' },
  ReplicationVM: { jobType: 'Replication', workloadType: 'Vm' },
  SqlLogBackup: { jobType: 'Backup', workloadType: 'Logs' },
  BackupToTape: { jobType: 'BackupToTape', workloadType: 'Vm' },
  AgentBackupJob: { jobType: 'Backup', workloadType: 'Computer' },
  AgentPolicy: { jobType: 'Backup', workloadType: 'Computer' },
  BackupFile: { jobType: 'Backup', workloadType: 'FileShare' },
};

const cloudPlatforms = { Amazon: 'Aws', Azure: 'Azure', Google: 'Google' } as const;

function kindOf(job: Job) {
  switch (job.product) {
    case 'server':
      return { ...serverKinds[job.type], platformType: job.platform };
    case 'agent':
      return { jobType: 'Backup', workloadType: 'Computer', platformType: 'Physical' };
    case 'microsoft365':
      return {
        jobType: job.type === 'CopyJob' ? 'BackupCopy' : 'Backup',
        workloadType: 'User',
        platformType: 'Microsoft365',
      };
    case 'cloud':
      return { jobType: 'Backup', workloadType: 'CloudVM', platformType: cloudPlatforms[job.cloud] };
  }
}
