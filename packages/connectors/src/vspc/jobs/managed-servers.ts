import type { Read, SourceJob } from '../../ports/backup-source.ts';
import { backupServers } from '../backup-servers.ts';
import type { VspcClient } from '../client.ts';
import type { Listing } from '../listing.ts';
import { list, readLookup } from '../listing.ts';
import type { BackupServerJob } from './backup-server-job.ts';
import { backupServerJobSchema, toJob } from './backup-server-job.ts';

/** Jobs of agents are in the group `monitored-agents`. */
const AGENT_TYPES: ReadonlySet<string> = new Set(['AgentBackupJob', 'AgentPolicy']);
/** Jobs of files are in the group `file-share-jobs`. */
export const FILE_TYPES: ReadonlySet<string> = new Set(['BackupFile', 'BackupFileCopy', 'CopyFile', 'FileToTape']);

/** What backup servers run themselves: backups, copies, replicas, tapes of virtual machines, databases, object storage. */
export async function* listManagedServerJobs(client: VspcClient, signal: AbortSignal): AsyncIterable<Read<SourceJob>> {
  const servers = await readLookup(client, backupServers, signal);
  yield* servers.failed;
  const jobs = backupServerJobs((job) => {
    if (AGENT_TYPES.has(job.type) || FILE_TYPES.has(job.type)) return null;
    const serverName = servers.byId.get(job.backupServerUid ?? '')?.name ?? null;
    return toJob(job, { group: 'managed-servers', serverName }, client.now());
  });
  yield* list(client, jobs, signal);
}

/** All jobs of all backup servers in their common form; `toValue` picks and makes what is asked for. */
export function backupServerJobs<T>(toValue: (job: BackupServerJob) => T | null): Listing<T> {
  return {
    entity: 'job',
    path: 'infrastructure/backupServers/jobs',
    read: (raw) => toValue(backupServerJobSchema.parse(raw)),
  };
}
