import type { EngineJob, EngineRepository, JobSession } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import type { JobDetailRow } from '../jobs/job-row.ts';
import type { SessionRow } from '../sessions/session-row.ts';

/** Returns a stored job as the port has it. */
export function engineJobOf(row: JobDetailRow): EngineJob {
  const { id, name, description, backupType, selected, excluded, withChats, repositoryId, isEnabled, schedule } = row;
  const job = { name, description, backupType, selected, excluded, withChats, repositoryId, isEnabled, schedule };
  return {
    id,
    ...job,
    proxyPoolId: row.proxyId,
    nextRunAt: row.nextRunAt === null ? null : new Date(row.nextRunAt),
    lastSession: row.lastSession === null ? null : engineSessionOf(row.lastSession),
    restorePoints: row.restorePoints,
  };
}

/** Returns a stored run as the port has it. */
export function engineSessionOf(row: SessionRow): JobSession {
  const { expectedEndAt = null, ...progress } = row.progress;
  return {
    id: row.id,
    jobId: row.jobId,
    startedAt: new Date(row.startedAt),
    endedAt: row.endedAt === null ? null : new Date(row.endedAt),
    result: row.result,
    isStopped: row.stopAskedAt !== null,
    message: row.message,
    ...NO_PROGRESS,
    ...progress,
    expectedEndAt: expectedEndAt === null ? null : new Date(expectedEndAt),
    proxyName: row.proxyName,
  };
}

const NO_PROGRESS = {
  objectsDone: 0,
  objectsTotal: null,
  itemsRead: 0,
  itemsLost: 0,
  itemsSkipped: 0,
  itemsRemoved: 0,
  bytesRead: 0,
  bytesStored: 0,
  bytesPerSecond: null,
};

/** Returns a stored repository as the port has it. */
export function engineRepositoryOf({ path, retentionPolicy, ...repository }: Microsoft365Repository): EngineRepository {
  const { id, name, kind, immutableDays, passwordDescription, usedBytes, capacityBytes, freeBytes } = repository;
  const sizes = { usedBytes, capacityBytes, freeBytes };
  return { id, name, place: path, kind, retentionYears: retentionPolicy, immutableDays, passwordDescription, ...sizes };
}
