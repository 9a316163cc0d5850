import { z } from 'zod';
import type { Read, SourceJob, SourceLogLine, SourceResult, SourceRun } from '../../ports/backup-source.ts';
import { backupServers } from '../backup-servers.ts';
import type { VspcClient } from '../client.ts';
import { optionalInstant, optionalUid, text, uid } from '../fields.ts';
import type { Listing } from '../listing.ts';
import { list, readLookup } from '../listing.ts';
import { toRun } from '../run.ts';

const POLICIES = 'infrastructure/backupServers/publicCloud/policies/virtualMachines';

/** PublicCloudVirtualMachinePolicy, as far as it is read. */
const policySchema = z.object({
  instanceUid: uid,
  name: z.string().min(1),
  state: z.string(),
  backupServerUid: optionalUid,
  organizationUid: optionalUid,
  nextRun: optionalInstant,
  platformType: text,
});
type Policy = z.infer<typeof policySchema>;

const sessionSchema = z
  .object({ endTime: optionalInstant, failureMessage: text, status: z.string().nullish() })
  .nullish();
type Session = NonNullable<z.infer<typeof sessionSchema>>;

/** PublicCloudVirtualMachinePolicyObject: one machine in one policy, with the last session of each kind. */
const objectSchema = z.object({
  policyUid: uid,
  instanceName: text,
  lastBackup: sessionSchema,
  lastArchive: sessionSchema,
  lastReplicaSnapshot: sessionSchema,
  lastSnapshot: sessionSchema,
});
type PolicyObject = z.infer<typeof objectSchema>;

/** The last sessions of a policy's machines, combined. */
interface Outcome {
  endedAt: Date;
  result: SourceResult;
  log: SourceLogLine[];
}

const SEVERITY: readonly SourceResult[] = ['Success', 'Warning', 'Failed'];

/**
 * Policies that protect virtual machines in public clouds. A policy shows no run of its own: its last run is made of its
 * machines' last sessions, as bad as the worst of them. They show when they ended but not when they began, so the run's
 * start is its end; executions read both from the history instead.
 */
export async function* listPublicCloudJobs(client: VspcClient, signal: AbortSignal): AsyncIterable<Read<SourceJob>> {
  const servers = await readLookup(client, backupServers, signal);
  yield* servers.failed;
  const outcomes = new Map<string, Outcome>();
  for await (const read of list(client, policyObjects, signal)) {
    if ('failed' in read) yield read;
    else collect(outcomes, read.value);
  }
  const policies: Listing<SourceJob> = {
    entity: 'job',
    path: POLICIES,
    read: (raw) => {
      const policy = policySchema.parse(raw);
      const serverName = servers.byId.get(policy.backupServerUid ?? '')?.name ?? null;
      return toCloudJob(policy, serverName, runOf(outcomes.get(policy.instanceUid), client.now()));
    },
  };
  yield* list(client, policies, signal);
}

const policyObjects: Listing<PolicyObject> = {
  entity: 'job',
  path: `${POLICIES}/objects`,
  // The same machine can be in several policies.
  idField: null,
  read: (raw) => objectSchema.parse(raw),
};

/** Adds a machine's newest ended session to its policy's outcome. */
function collect(outcomes: Map<string, Outcome>, object: PolicyObject): void {
  const sessions = [object.lastBackup, object.lastArchive, object.lastReplicaSnapshot, object.lastSnapshot];
  let newest: (Session & { endTime: Date }) | null = null;
  for (const session of sessions) {
    if (!session?.endTime || !isResult(session.status)) continue;
    if (!newest || session.endTime > newest.endTime) newest = { ...session, endTime: session.endTime };
  }
  if (!newest || !isResult(newest.status)) return;
  const outcome = outcomes.get(object.policyUid) ?? { endedAt: newest.endTime, result: newest.status, log: [] };
  if (newest.endTime > outcome.endedAt) outcome.endedAt = newest.endTime;
  if (SEVERITY.indexOf(newest.status) > SEVERITY.indexOf(outcome.result)) outcome.result = newest.status;
  if (newest.failureMessage) outcome.log.push(toLogLine(object, newest.status, newest.endTime, newest.failureMessage));
  outcomes.set(object.policyUid, outcome);
}

function isResult(status: string | null | undefined): status is SourceResult {
  return SEVERITY.some((result) => result === status);
}

function toLogLine(object: PolicyObject, result: SourceResult, at: Date, message: string): SourceLogLine {
  const level = result === 'Failed' ? 'error' : result === 'Warning' ? 'warning' : 'info';
  return { at, level, text: object.instanceName ? `${object.instanceName}: ${message}` : message };
}

function runOf(outcome: Outcome | undefined, now: Date): SourceRun | null {
  if (!outcome) return null;
  const { endedAt, result, log } = outcome;
  const message = log.find((line) => line.level === 'error')?.text ?? log[0]?.text ?? null;
  const run = toRun({ startedAt: endedAt, endedAt, durationS: null, result, message, log }, now);
  return run && { ...run, durationMs: null };
}

function toCloudJob(policy: Policy, serverName: string | null, lastRun: SourceRun | null): SourceJob {
  const isEnabled = policy.state !== 'Disabled' && policy.state !== 'Disabling';
  return {
    externalId: policy.instanceUid,
    group: 'public-cloud-vms',
    name: policy.name,
    companyExternalId: policy.organizationUid,
    jobType: policy.platformType,
    isEnabled,
    scheduleType: isEnabled ? null : 'Disabled',
    intervalMs: null,
    nextRunAt: isEnabled ? policy.nextRun : null,
    serverName,
    targetName: null,
    backupSizeBytes: null,
    restorePointCount: null,
    lastRun,
  };
}
