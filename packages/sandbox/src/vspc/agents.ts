import { lastAttempt, nextRunMs } from '../world/history.ts';
import type { AgentJob } from '../world/job.ts';
import { textHash, uid, unit, whole } from '../world/random.ts';
import { usedBytes } from '../world/repositories.ts';
import { usualSeconds } from '../world/runs.ts';
import { isEnabled } from '../world/trouble.ts';
import { instant, instantOrNull, seconds } from './instants.ts';
import { scheduleDisplayName, scheduleType } from './schedules.ts';
import { statusOf } from './server-jobs.ts';

export function toAgent(job: AgentJob, nowMs: number) {
  const { agent } = job;
  const last = lastAttempt(job, nowMs);
  return {
    guiMode: agent.mode === 'Server' ? 'Full' : 'ReadOnly',
    instanceUid: agent.uid,
    agentPlatform: agent.system,
    status: unit(agent.id, 260) < 0.97 ? 'Active' : 'NotRunning',
    managementAgentStatus: unit(agent.id, 261) < 0.93 ? 'Healthy' : 'Inaccessible',
    managementAgentUid: agent.managementAgentUid,
    siteUid: null,
    organizationUid: agent.company.uid,
    name: agent.name,
    operationMode: agent.mode,
    platform: agent.isVirtual ? 'Virtual' : 'Physical',
    version: agent.version,
    versionStatus: unit(agent.id, 262) < 0.85 ? 'UpToDate' : 'OutOfDate',
    activationTime: instant(job.createdMs - 3_600_000, job.offsetMinutes),
    managementMode: 'ManagedByConsole',
    installationType: 'Full',
    totalJobsCount: 1,
    runningJobsCount: last && last.endMs > nowMs ? 1 : 0,
    successJobsCount: last && last.endMs <= nowMs && last.result === 'Success' ? 1 : 0,
  };
}

export function toAgentJob(job: AgentJob, nowMs: number) {
  const last = lastAttempt(job, nowMs);
  const ended = last && last.endMs <= nowMs ? last : undefined;
  return {
    ...identityOf(job),
    status: statusOf(last, nowMs),
    restorePoints: last ? whole(5, 30, job.id, 263) : null,
    lastRun: instantOrNull(last?.startMs, job.offsetMinutes),
    lastEndTime: instantOrNull(ended?.endMs, job.offsetMinutes),
    lastDuration: ended ? seconds(ended.startMs, ended.endMs) : null,
    nextRun: instantOrNull(nextRunMs(job, nowMs), job.offsetMinutes),
    avgDuration: last ? Math.round(usualSeconds(job)) : null,
    isEnabled: isEnabled(job, nowMs),
    failureMessage: ended?.message ?? null,
    backedUpSize: last ? last.chainBytes : null,
    freeSpace: last ? freeBytes(job, nowMs) : null,
  };
}

function identityOf(job: AgentJob) {
  return {
    instanceUid: job.uid,
    originalUid: uid(job.id, 264),
    backupAgentUid: job.agent.uid,
    organizationUid: job.organizationUid,
    name: job.name,
    description: null,
    configUid: uid(job.id, 265),
    systemType: job.agent.system,
    backupPolicyUid: uid(textHash(job.policyName), job.agent.company.id, 266),
    backupPolicyName: job.policyName,
    backupPolicyAssignStatus: 'Assigned',
    backupPolicyFailureMessage: null,
    operationMode: job.agent.mode,
    destination: job.repository?.name ?? null,
    backupMode: job.backupMode,
    targetType: unit(job.id, 267) < 0.7 ? 'CloudRepository' : 'BackupRepository',
    scheduleType: scheduleType(job),
    scheduleDisplayName: scheduleDisplayName(job),
    lastModifiedDate: instant(job.createdMs, job.offsetMinutes),
    lastModifiedBy: 'keystone\\operator',
  };
}

function freeBytes(job: AgentJob, nowMs: number): number | null {
  const { repository } = job;
  return repository?.capacityBytes ? repository.capacityBytes - usedBytes(repository, nowMs) : null;
}
