import { z } from 'zod';
import type { DataSourceGroup, SourceJob, SourceLogLine, SourceResult } from '../../ports/backup-source.ts';
import { amount, optionalInstant, optionalUid, text, uid } from '../fields.ts';
import { toRun } from '../run.ts';
import { scheduleSchema, toIntervalMs, toScheduleType } from '../schedule.ts';

const taskSchema = z.object({
  objectName: text,
  readDataSize: amount,
  endTime: optionalInstant,
  failureMessages: z.array(z.string()).nullish(),
  status: z.string().nullish(),
});
type Task = z.infer<typeof taskSchema>;

/** BackupServerJob: the common part of every job that a backup server runs, as far as it is read. */
export const backupServerJobSchema = z.object({
  instanceUid: uid,
  name: z.string().min(1),
  status: z.string(),
  isEnabled: z.boolean(),
  type: z.string(),
  backupServerUid: optionalUid,
  organizationUid: optionalUid,
  mappedOrganizationUid: optionalUid,
  lastRun: optionalInstant,
  lastEndTime: optionalInstant,
  lastDuration: amount,
  transferredData: amount,
  backupChainSize: amount,
  scheduleType: z.string().nullish(),
  schedule: scheduleSchema.nullish(),
  failureMessage: text,
  destination: text,
  lastSessionTasks: z.array(taskSchema).nullish(),
});
export type BackupServerJob = z.infer<typeof backupServerJobSchema>;

/**
 * BackupServerJobStatus and BackupAgentJobStatus. Of the words that are not here, `None` is a job that never ran and `Idle`,
 * `Unknown`, `Disabling`, `Enabling` do not say how the last run ended.
 */
const RESULTS: Readonly<Record<string, SourceResult>> = {
  Success: 'Success',
  Warning: 'Warning',
  Failed: 'Failed',
  Running: 'Running',
  Starting: 'Running',
  Stopping: 'Running',
  WaitingRepository: 'Running',
  WaitingTape: 'Running',
};

export function resultOf(status: string | null | undefined): SourceResult | null {
  return RESULTS[status ?? ''] ?? null;
}

/** What a job is beside its common part. */
export interface JobPlace {
  group: DataSourceGroup;
  serverName: string | null;
  processedFiles?: number | null;
  log?: readonly SourceLogLine[];
}

export function toJob(job: BackupServerJob, place: JobPlace, now: Date): SourceJob {
  const scheduleType = toScheduleType(job.scheduleType, job.isEnabled);
  const isPlanned = scheduleType !== 'Disabled';
  return {
    externalId: job.instanceUid,
    group: place.group,
    name: job.name,
    // The company a job is assigned to goes before the one that owns the server: providers back up for many on one server.
    companyExternalId: job.mappedOrganizationUid ?? job.organizationUid,
    jobType: job.type,
    isEnabled: job.isEnabled,
    scheduleType,
    intervalMs: toIntervalMs(scheduleType, job.schedule),
    nextRunAt: isPlanned ? (job.schedule?.startDateTimeUtc ?? job.schedule?.startDateTime ?? null) : null,
    serverName: place.serverName,
    targetName: job.destination,
    backupSizeBytes: job.backupChainSize,
    restorePointCount: null,
    lastRun: lastRunOf(job, place, now),
  };
}

function lastRunOf(job: BackupServerJob, place: JobPlace, now: Date): SourceJob['lastRun'] {
  const tasks = job.lastSessionTasks ?? [];
  return toRun(
    {
      startedAt: job.lastRun,
      endedAt: job.lastEndTime,
      durationS: job.lastDuration,
      result: resultOf(job.status),
      transferredBytes: job.transferredData,
      processedBytes: sumOrNull(tasks.map((task) => task.readDataSize)),
      processedFiles: place.processedFiles ?? null,
      message: job.failureMessage,
      log: [...tasks.flatMap(logOf), ...(place.log ?? [])],
    },
    now,
  );
}

function logOf(task: Task): SourceLogLine[] {
  const level = task.status === 'Failed' ? 'error' : task.status === 'Warning' ? 'warning' : 'info';
  const object = task.objectName ? `${task.objectName}: ` : '';
  return (task.failureMessages ?? []).map((message) => ({ at: task.endTime, level, text: `${object}${message}` }));
}

/** The sum of what is known, `null` when nothing is. */
export function sumOrNull(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
