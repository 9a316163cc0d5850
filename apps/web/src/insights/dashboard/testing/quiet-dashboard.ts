import { getChanges } from '@keepwatch/contract/insights/changes';
import {
  type DayCounts,
  getHistoryChart,
  getOverviewStats,
  type InactiveJob,
  listDidntRun,
  type OverviewStats,
  type RankedJob,
  rankDuration,
  rankFailures,
  rankTransferred,
} from '@keepwatch/contract/insights/insights';
import { getComputersStatus, listUnprotectedCompanies } from '@keepwatch/contract/inventory/computers';
import { listRepositories, type Repository } from '@keepwatch/contract/inventory/repositories';
import { type Answers, createAnswers } from '../../../testing/answers.ts';
import { buildChanges, buildId } from '../../../testing/builders.ts';

/** For the tests of the dashboard: answers to all its calls, of which a test replaces those it is about. */
export function quietDashboard(): Answers {
  return createAnswers()
    .on(getOverviewStats, { success: true, data: buildStats() })
    .on(getComputersStatus, {
      success: true,
      data: { total: 340, withAgent: 328, withoutAgent: 12, offline: 3, ignored: 0 },
    })
    .on(getHistoryChart, { success: true, data: [], recountedFrom: null })
    .on(rankFailures, { success: true, data: [] })
    .on(rankDuration, { success: true, data: [] })
    .on(rankTransferred, { success: true, data: [] })
    .on(listRepositories, { success: true, count: 0, data: [] })
    .on(listDidntRun, { success: true, count: 0, data: [] })
    .on(getChanges, { success: true, data: buildChanges() })
    .on(listUnprotectedCompanies, { success: true, count: 0, data: [] });
}

export function buildStats(fields: Partial<OverviewStats> = {}): OverviewStats {
  return {
    companies: 60,
    jobs: 1_493,
    jobsWithoutCompany: 0,
    success: 1_402,
    warning: 41,
    failed: 12,
    running: 3,
    didntRun: 5,
    neverRan: 8,
    disabled: 22,
    pending: 31,
    backupSizeBytes: 1_024 ** 4,
    successRate: 0.973,
    warningRate: 0.016,
    successRateBefore: 0.969,
    successRuns: 973,
    warningRuns: 16,
    countedRuns: 1_000,
    transferredBytes: 1_024 ** 3,
    ...fields,
  };
}

export function buildDay(day: string, fields: Partial<DayCounts> = {}): DayCounts {
  return {
    day,
    success: 0,
    warning: 0,
    failed: 0,
    running: 0,
    didntRun: 0,
    anomalies: 0,
    transferredBytes: 0,
    ...fields,
  };
}

export function buildRankedJob(number: number, fields: Partial<RankedJob> = {}): RankedJob {
  return {
    jobInstanceUid: buildId(number),
    jobName: `Job ${number}`,
    companyId: buildId(1),
    companyName: 'Company 1',
    sourceGroup: 'managed-servers',
    value: 1,
    runs: 7,
    ...fields,
  };
}

export function buildInactiveJob(number: number, fields: Partial<InactiveJob> = {}): InactiveJob {
  return {
    jobInstanceUid: buildId(number),
    jobName: `Job ${number}`,
    companyId: buildId(1),
    companyName: 'Company 1',
    sourceGroup: 'managed-servers',
    serverName: null,
    scheduleType: 'Daily',
    lastStartedAt: '2026-03-13T22:00:00.000Z',
    lastResult: 'Success',
    expectedAt: '2026-03-14T22:00:00.000Z',
    isIgnored: false,
    ignoredUntil: null,
    ...fields,
  };
}

export function buildRepository(fields: Partial<Repository> = {}): Repository {
  return {
    _id: buildId(500),
    name: 'Repository 1',
    companyId: null,
    companyName: null,
    kind: 'Windows',
    serverName: 'backup-1',
    path: 'E:\\Backups',
    status: 'Ready',
    capacityBytes: 10 * 1_024 ** 4,
    freeBytes: 2 * 1_024 ** 4,
    usedBytes: 8 * 1_024 ** 4,
    usedRatio: 0.8,
    growthBytesPerDay: 1_024 ** 3,
    fullAt: null,
    readAt: '2026-03-15T11:00:00.000Z',
    ...fields,
  };
}
