import { z } from 'zod';
import type { Read, SourceJob } from '../../ports/backup-source.ts';
import { backupServers } from '../backup-servers.ts';
import type { VspcClient } from '../client.ts';
import { uid } from '../fields.ts';
import type { Listing } from '../listing.ts';
import { list, readLookup } from '../listing.ts';
import { backupServerJobSchema, toJob } from './backup-server-job.ts';

/** BackupServerAgentJob says little itself; name, status and runs are in the job it embeds. */
const agentJobSchema = z.object({
  instanceUid: uid,
  destination: z.string().nullish(),
  _embedded: z.object({ backupServerJob: backupServerJobSchema }),
});

/** Agents that a backup server manages; the console only watches them. */
export async function* listMonitoredAgentJobs(client: VspcClient, signal: AbortSignal): AsyncIterable<Read<SourceJob>> {
  const servers = await readLookup(client, backupServers, signal);
  yield* servers.failed;
  const jobs: Listing<SourceJob> = {
    entity: 'job',
    path: 'infrastructure/backupServers/jobs/agentJobs',
    query: { expand: 'BackupServerJob' },
    read: (raw) => {
      const agentJob = agentJobSchema.parse(raw);
      const common = agentJob._embedded.backupServerJob;
      const serverName = servers.byId.get(common.backupServerUid ?? '')?.name ?? null;
      const job = toJob(common, { group: 'monitored-agents', serverName }, client.now());
      return { ...job, externalId: agentJob.instanceUid, targetName: job.targetName ?? (agentJob.destination || null) };
    },
  };
  yield* list(client, jobs, signal);
}
