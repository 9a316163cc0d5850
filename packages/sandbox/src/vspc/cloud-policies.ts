import { lastAttempt, lastEndedAttempt, nextRunMs } from '../world/history.ts';
import type { CloudPolicy } from '../world/job.ts';
import { mix, textHash, uid } from '../world/random.ts';
import { isEnabled } from '../world/trouble.ts';
import { instantOrNull } from './instants.ts';

/** A policy says whether it runs, not how its last run ended: that is with its machines. */
export function toCloudPolicy(policy: CloudPolicy, nowMs: number) {
  const last = lastAttempt(policy, nowMs);
  return {
    instanceUid: policy.uid,
    name: policy.name,
    applianceUid: policy.applianceUid,
    status: last && last.endMs > nowMs ? 'Running' : 'Idle',
    state: isEnabled(policy, nowMs) ? 'Enabled' : 'Disabled',
    applianceManagementType: 'ByBackupServer',
    managementAgentUid: policy.server.managementAgentUid,
    backupServerUid: policy.server.uid,
    organizationUid: policy.organizationUid,
    locationUid: policy.server.locationUid,
    instancesCount: policy.objects.length,
    nextRun: instantOrNull(nextRunMs(policy, nowMs)),
    platformType: policy.cloud,
  };
}

/** The machines of a policy. Of a run that failed, the machine the message names failed; of a message without one, the first. */
export function toCloudObjects(policy: CloudPolicy, nowMs: number) {
  const last = lastEndedAttempt(policy, nowMs);
  const named = policy.objects.findIndex((object) => last?.message?.includes(object));
  return policy.objects.map((instanceName, index) => {
    const isCulprit = last !== undefined && index === Math.max(0, named);
    const backup = {
      endTime: instantOrNull(last?.endMs),
      failureMessage: isCulprit ? (last.message ?? null) : null,
      status: last ? (isCulprit ? last.result : 'Success') : 'None',
    };
    return {
      instanceUid: uid(policy.id, index, textHash(instanceName)),
      instanceName,
      policyUid: policy.uid,
      policyName: policy.name,
      backupServerUid: policy.server.uid,
      resourceId: `i-${mix(policy.id, index, 280).toString(16).padStart(8, '0')}`,
      lastBackup: backup,
      lastArchive: never,
      lastReplicaSnapshot: never,
      lastSnapshot: backup,
    };
  });
}

const never = { endTime: null, failureMessage: null, status: 'None' };
