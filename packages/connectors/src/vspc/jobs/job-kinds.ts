import type { DataSourceGroup, SourceJob } from '../../ports/backup-source.ts';
import type { HeatmapSession } from '../heatmap.ts';

/** Which groups can have sessions of a workload (JobSessionHeatmapWorkloadType). A word that is not here says nothing. */
const GROUPS_OF_WORKLOAD: Readonly<Record<string, readonly DataSourceGroup[]>> = {
  Vm: ['managed-servers'],
  Logs: ['managed-servers'],
  ObjectStorage: ['managed-servers', 'file-share-jobs'],
  Computer: ['monitored-agents', 'managed-agents', 'managed-servers'],
  File: ['monitored-agents', 'managed-agents', 'file-share-jobs'],
  FileShare: ['file-share-jobs'],
  User: ['office365'],
  CloudVM: ['public-cloud-vms', 'managed-servers'],
  CloudDatabase: ['public-cloud-vms', 'managed-servers'],
  CloudFileShare: ['public-cloud-vms', 'managed-servers'],
  CloudNetwork: ['public-cloud-vms', 'managed-servers'],
};

/** The heatmap job type (JobSessionHeatmapJobType) of a job's own type. A word that is not here says nothing. */
const HEATMAP_TYPE_OF_JOB: Readonly<Record<string, string>> = {
  BackupVm: 'Backup',
  AgentBackupJob: 'Backup',
  BackupFile: 'Backup',
  ObjectStorageBackup: 'Backup',
  BackupCopy: 'BackupCopy',
  SimpleBackupCopy: 'BackupCopy',
  BackupFileCopy: 'BackupCopy',
  ObjectStorageBackupCopy: 'BackupCopy',
  BackupToTape: 'BackupToTape',
  CopyVm: 'Copy',
  CopyFile: 'Copy',
  // The vendor's own spelling.
  FileToTape: 'FfileToTape',
  ReplicationVM: 'Replication',
  CdpReplicationVM: 'Replication',
  SureBackup: 'SureBackup',
};

/** Whether nothing that a session says of its kind speaks against the job. */
export function doKindsAgree(job: SourceJob, session: HeatmapSession): boolean {
  const groups = GROUPS_OF_WORKLOAD[session.workloadType ?? ''];
  if (groups && !groups.includes(job.group)) return false;
  if ((session.platformType === 'Microsoft365') !== (job.group === 'office365')) return isPlatformUnknown(session);
  const expected = HEATMAP_TYPE_OF_JOB[job.jobType ?? ''];
  return !expected || !isTypeKnown(session.jobType) || session.jobType === expected;
}

function isPlatformUnknown(session: HeatmapSession): boolean {
  return session.platformType === null || session.platformType === 'Unknown';
}

function isTypeKnown(jobType: string | null): boolean {
  return jobType !== null && jobType !== 'Unknown';
}
