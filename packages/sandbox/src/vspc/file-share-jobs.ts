import { lastAttempt } from '../world/history.ts';
import type { ServerJob } from '../world/job.ts';
import { uid, whole } from '../world/random.ts';
import { seconds } from './instants.ts';
import { toServerJob } from './server-jobs.ts';

/** @param isExpanded whether `expand=BackupServerJob` was asked; the last run is in there */
export function toFileShareJob(job: ServerJob, isExpanded: boolean, nowMs: number) {
  return {
    instanceUid: job.instanceUid,
    uniqueUid: job.uid,
    targetRepositoryUid: job.repository?.uid ?? uid(job.id, 250),
    archiveRepositoryUid: null,
    retention: 28,
    retentionUnit: 'Days',
    isArchiveRetentionEnabled: false,
    archiveRetention: 3,
    archiveRetentionUnit: 'Years',
    _embedded: isExpanded ? { backupServerJob: toServerJob(job, nowMs) } : null,
  };
}

/** A share of a job, with the figures of the last session in files. */
export function toFileShareObject(job: ServerJob, nowMs: number) {
  const [name] = job.objects;
  return {
    jobUid: job.instanceUid,
    uniqueJobUid: job.uid,
    fileShareUid: uid(job.id, 251),
    name,
    sources: [{ path: name, type: 'Directory', inclusionMasks: ['*.*'], exclusionMasks: ['*.tmp'] }],
    lastSession: toLastSession(job, nowMs),
  };
}

function toLastSession(job: ServerJob, nowMs: number) {
  const last = lastAttempt(job, nowMs);
  if (!last || last.endMs > nowMs) {
    return { backupStatus: last ? 'Running' : 'Unknown', ...noFigures, messages: [] };
  }
  const files = Math.max(1, Math.floor(last.sourceBytes / 2_400_000));
  const changed = Math.floor(files * job.changeShare);
  const skipped = last.result === 'Success' ? 0 : whole(1, 40, job.id, last.number, 252);
  return {
    backupStatus: last.result,
    sourceFilesCount: files,
    changedFilesCount: changed,
    skippedFilesCount: skipped,
    backedUpFilesCount: last.result === 'Failed' ? 0 : Math.max(0, changed - skipped),
    transferredSize: last.transferredBytes,
    sourceSize: last.sourceBytes,
    duration: seconds(last.startMs, last.endMs),
    messages: last.message ? [last.message] : [],
  };
}

const noFigures = {
  sourceFilesCount: null,
  changedFilesCount: null,
  skippedFilesCount: null,
  backedUpFilesCount: null,
  transferredSize: null,
  sourceSize: null,
  duration: null,
};
