import type { SourceJob, SourceRun } from '../ports/backup-source.ts';
import type { HeatmapSession } from '../vspc/heatmap.ts';
import { uidOf } from './console.ts';

export const COMPANY = uidOf(900);

/** A job that ran last night, as `BackupServerJob` of the vendor. */
export function buildServerJob(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    instanceUid: uidOf(1),
    name: 'Nightly',
    status: 'Success',
    isEnabled: true,
    type: 'BackupVm',
    backupServerUid: uidOf(500),
    organizationUid: COMPANY,
    mappedOrganizationUid: null,
    lastRun: '2026-03-09T22:00:00.0000000+00:00',
    lastEndTime: '2026-03-09T22:30:00.0000000+00:00',
    lastDuration: 1800,
    transferredData: 1000,
    backupChainSize: 5000,
    scheduleType: 'Daily',
    schedule: { startDateTimeUtc: '2026-03-10T22:00:00Z', dailyScheduleOptions: { kind: 'Everyday', days: [] } },
    failureMessage: null,
    destination: 'Main repository',
    lastSessionTasks: [],
    ...overrides,
  };
}

/** The same job as the port has it. */
export function buildJob(overrides: Partial<SourceJob> = {}): SourceJob {
  return {
    externalId: uidOf(1),
    group: 'managed-servers',
    name: 'Nightly',
    companyExternalId: COMPANY,
    jobType: 'BackupVm',
    isEnabled: true,
    scheduleType: 'Daily',
    intervalMs: 24 * 3_600_000,
    nextRunAt: null,
    serverName: null,
    targetName: null,
    backupSizeBytes: null,
    restorePointCount: null,
    lastRun: buildRun(),
    ...overrides,
  };
}

export function buildRun(overrides: Partial<SourceRun> = {}): SourceRun {
  return {
    startedAt: new Date('2026-03-09T22:00:00Z'),
    endedAt: new Date('2026-03-09T22:30:00Z'),
    result: 'Success',
    durationMs: 1_800_000,
    transferredBytes: 1000,
    processedBytes: null,
    processedFiles: null,
    message: null,
    log: [],
    ...overrides,
  };
}

/** The session of that run in the vendor's heatmap. */
export function buildVendorSession(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    sessionUid: uidOf(700),
    jobName: 'Nightly',
    organizationUid: COMPANY,
    startTime: '2026-03-09T22:00:20Z',
    endTime: '2026-03-09T22:30:00Z',
    duration: 1780,
    failureMessage: null,
    result: 'Success',
    jobType: 'Backup',
    workloadType: 'Vm',
    platformType: 'VSphere',
    ...overrides,
  };
}

export function buildSession(overrides: Partial<HeatmapSession> = {}): HeatmapSession {
  return {
    externalId: uidOf(700),
    jobName: 'Nightly',
    companyExternalId: COMPANY,
    startedAt: new Date('2026-03-09T22:00:20Z'),
    endedAt: new Date('2026-03-09T22:30:00Z'),
    durationS: 1780,
    result: 'Success',
    message: null,
    jobType: 'Backup',
    workloadType: 'Vm',
    platformType: 'VSphere',
    ...overrides,
  };
}
