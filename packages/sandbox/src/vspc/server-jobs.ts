import { lastAttempt } from '../world/history.ts';
import type { ServerJob } from '../world/job.ts';
import { pick, textHash, uid, unit, whole } from '../world/random.ts';
import { type Attempt, usualSeconds } from '../world/runs.ts';
import { isEnabled } from '../world/trouble.ts';
import { instant, instantOrNull, seconds } from './instants.ts';
import { scheduleType, toSchedule } from './schedules.ts';

/** A job with its last run, the only run that the vendor reports. While it runs, end and duration are null. */
export function toServerJob(job: ServerJob, nowMs: number) {
  const last = lastAttempt(job, nowMs);
  const isRunning = last !== undefined && last.endMs > nowMs;
  const ended = isRunning ? undefined : last;
  return {
    ...identityOf(job),
    status: statusOf(last, nowMs),
    isEnabled: isEnabled(job, nowMs),
    lastRun: instantOrNull(last?.startMs, job.offsetMinutes),
    lastEndTime: instantOrNull(ended?.endMs, job.offsetMinutes),
    lastDuration: ended ? seconds(ended.startMs, ended.endMs) : null,
    processingRate: ended ? processingRate(ended) : null,
    avgDuration: last ? Math.round(usualSeconds(job)) : null,
    transferredData: ended ? ended.transferredBytes : null,
    backupChainSize: last && job.type === 'BackupVm' ? last.chainBytes : null,
    bottleneck: ended ? pick(['Source', 'Proxy', 'Network', 'Target'], job.id, 230) : 'None',
    scheduleType: scheduleType(job),
    schedule: toSchedule(job, nowMs),
    failureMessage: ended?.message ?? null,
    targetType: targetTypeOf(job),
    destination: job.repository?.name ?? null,
    retentionLimit: job.type === 'ReplicationVM' ? 7 : whole(7, 30, job.id, 231),
    retentionLimitType: job.type === 'BackupToTape' ? 'None' : unit(job.id, 232) < 0.5 ? 'Days' : 'RestorePoints',
    isGfsOptionEnabled: unit(job.id, 233) < 0.2,
    lastSessionTasks: last && hasTasks(job) ? toTasks(last, isRunning) : [],
  };
}

function identityOf(job: ServerJob) {
  return {
    instanceUid: job.instanceUid,
    uniqueUid: job.uid,
    name: job.name,
    description: `Created by ${job.server.name}\\Administrator.`,
    createdBy: `${job.server.name}\\Administrator`,
    creationTime: instant(job.createdMs, job.offsetMinutes),
    backupServerUid: job.server.uid,
    locationUid: job.server.locationUid,
    siteUid: null,
    organizationUid: job.server.organizationUid,
    mappedOrganizationUid: job.server.owner || !job.company ? null : job.company.uid,
    type: job.type,
  };
}

export function statusOf(last: Attempt | undefined, nowMs: number): string {
  if (!last) return 'None';
  return last.endMs > nowMs ? 'Running' : last.result;
}

function targetTypeOf(job: ServerJob): string {
  if (!job.repository) return 'None';
  return job.company && !job.repository.server.owner ? 'Cloud' : 'Local';
}

function processingRate(attempt: Attempt): number {
  const rate = attempt.readBytes / Math.max(1, seconds(attempt.startMs, attempt.endMs));
  return Math.round(rate);
}

function hasTasks(job: ServerJob): boolean {
  return job.type === 'BackupVm' || job.type === 'ReplicationVM';
}

function toTasks(attempt: Attempt, isRunning: boolean) {
  const { job } = attempt;
  const culprit = attempt.message ? job.objects.findIndex((object) => attempt.message?.includes(object)) : -1;
  return job.objects.map((objectName, index) => {
    const isCulprit = index === Math.max(0, culprit);
    const status = isRunning ? (index === 0 ? 'Running' : 'Pending') : isCulprit ? attempt.result : 'Success';
    const share = 1 / job.objects.length;
    return {
      instanceUid: uid(job.id, Math.floor(attempt.slot / 60_000), attempt.number, index, 234),
      objectUid: uid(textHash(objectName), job.server.id),
      objectName,
      totalObjects: 1,
      processedObjects: isRunning || status === 'Failed' ? 0 : 1,
      readDataSize: isRunning ? null : Math.floor(attempt.readBytes * share),
      transferredDataSize: isRunning ? null : Math.floor(attempt.transferredBytes * share),
      startTime: instant(attempt.startMs, job.offsetMinutes),
      endTime: isRunning ? null : instant(attempt.endMs, job.offsetMinutes),
      duration: isRunning ? null : seconds(attempt.startMs, attempt.endMs),
      failureMessages: status === 'Success' || isRunning || !attempt.message ? [] : [attempt.message],
      status,
    };
  });
}
