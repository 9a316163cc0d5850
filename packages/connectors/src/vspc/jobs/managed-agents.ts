import { z } from 'zod';
import type { Read, SourceJob } from '../../ports/backup-source.ts';
import { backupAgents } from '../backup-servers.ts';
import type { VspcClient } from '../client.ts';
import { amount, optionalInstant, optionalUid, text, uid } from '../fields.ts';
import type { Listing } from '../listing.ts';
import { list, readLookup } from '../listing.ts';
import { toRun } from '../run.ts';
import { toScheduleType } from '../schedule.ts';
import { resultOf } from './backup-server-job.ts';

/** BackupAgentJob, as far as it is read. */
const agentJobSchema = z.object({
  instanceUid: uid,
  name: z.string().min(1),
  status: z.string(),
  isEnabled: z.boolean(),
  backupAgentUid: optionalUid,
  organizationUid: optionalUid,
  backupMode: text,
  scheduleType: z.string().nullish(),
  nextRun: optionalInstant,
  lastRun: optionalInstant,
  lastEndTime: optionalInstant,
  lastDuration: amount,
  destination: text,
  restorePoints: amount,
  backedUpSize: amount,
  failureMessage: text,
});
type AgentJob = z.infer<typeof agentJobSchema>;

/** Agents that the console manages itself. */
export async function* listManagedAgentJobs(client: VspcClient, signal: AbortSignal): AsyncIterable<Read<SourceJob>> {
  const agents = await readLookup(client, backupAgents, signal);
  yield* agents.failed;
  const jobs: Listing<SourceJob> = {
    entity: 'job',
    path: 'infrastructure/backupAgents/jobs',
    read: (raw) => {
      const job = agentJobSchema.parse(raw);
      return toAgentJob(job, agents.byId.get(job.backupAgentUid ?? '')?.name ?? null, client.now());
    },
  };
  yield* list(client, jobs, signal);
}

function toAgentJob(job: AgentJob, agentName: string | null, now: Date): SourceJob {
  const scheduleType = toScheduleType(job.scheduleType, job.isEnabled);
  return {
    externalId: job.instanceUid,
    group: 'managed-agents',
    name: job.name,
    companyExternalId: job.organizationUid,
    jobType: job.backupMode,
    isEnabled: job.isEnabled,
    scheduleType,
    // The console gives the kind of the schedule but not its days or hours.
    intervalMs: null,
    nextRunAt: scheduleType === 'Disabled' ? null : job.nextRun,
    serverName: agentName,
    targetName: job.destination,
    backupSizeBytes: job.backedUpSize,
    restorePointCount: job.restorePoints,
    lastRun: toRun(
      {
        startedAt: job.lastRun,
        endedAt: job.lastEndTime,
        durationS: job.lastDuration,
        result: resultOf(job.status),
        message: job.failureMessage,
      },
      now,
    ),
  };
}
