import { describe, expect, test } from 'vitest';
import { lastAttempt, lastEndedAttempt } from '../world/history.ts';
import { buildWorld } from '../world/world.ts';
import { toAgent, toAgentJob } from './agents.ts';
import { toCloudObjects, toCloudPolicy } from './cloud-policies.ts';
import { toComputer } from './computers.ts';
import { toDiscoveryRule } from './discovery-rules.ts';
import { toLicenceUsage } from './licensing.ts';
import { toManagementAgents } from './management-agents.ts';
import { toCompanyMapping, toMicrosoft365Job, toMicrosoft365Organization } from './microsoft365.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const world = buildWorld(1, 60);

describe('agents', () => {
  test('every job names an agent of the list, and both say the same of the last run', () => {
    for (const job of world.agentJobs) {
      const agent = toAgent(job, now);
      const wire = toAgentJob(job, now);
      expect(wire.backupAgentUid).toBe(agent.instanceUid);
      expect(agent.successJobsCount).toBe(wire.status === 'Success' ? 1 : 0);
      expect(agent.runningJobsCount).toBe(wire.status === 'Running' ? 1 : 0);
    }
  });

  test('a job that is due reports when, in the local time of its customer', () => {
    const job = world.agentJobs.find((entry) => entry.character === 'steady' && entry.offsetMinutes === 60);
    if (!job) throw new Error('There is no steady job of an agent');
    const { nextRun } = toAgentJob(job, now);
    expect(Date.parse(nextRun ?? '')).toBeGreaterThan(now);
    expect(nextRun).toMatch(/\+01:00$/);
  });
});

describe('Microsoft 365', () => {
  test('some jobs do not carry their company, but the mapping of their organization does', () => {
    const bare = world.microsoft365Jobs.filter((job) => toMicrosoft365Job(job, now).vspcOrganizationUid === null);
    expect(bare.length).toBeGreaterThan(0);
    const mappings = world.organizations.map(toCompanyMapping);
    for (const job of bare) {
      const mapping = mappings.find((entry) => entry.vb365OrganizationUid === job.organization.uid);
      expect(mapping?.companyUid).toBe(job.organizationUid);
    }
  });

  test('what failed has a log of why', () => {
    const failed = world.microsoft365Jobs
      .map((job) => toMicrosoft365Job(job, now))
      .filter((job) => job.lastStatus === 'Failed');
    expect(failed.length).toBeGreaterThan(0);
    for (const job of failed) {
      expect(job.lastErrorLogRecords).toEqual([{ message: job.lastStatusDetails, logType: 'Error' }]);
    }
  });

  test('an organization was backed up when the last of its jobs ended', () => {
    const organization = world.microsoft365Jobs[0]?.organization;
    if (!organization) throw new Error('There is no job for Microsoft 365');
    const ends = world.microsoft365Jobs
      .filter((job) => job.organization === organization)
      .map((job) => lastEndedAttempt(job, now)?.endMs ?? 0);
    const wire = toMicrosoft365Organization(organization, world.microsoft365Jobs, false, now);
    expect(Date.parse(wire.lastBackupTime ?? '')).toBe(Math.max(...ends));
  });
});

describe('public clouds', () => {
  test('a policy has as many machines as it says', () => {
    for (const policy of world.cloudPolicies) {
      expect(toCloudObjects(policy, now)).toHaveLength(toCloudPolicy(policy, now).instancesCount);
    }
  });

  test('exactly one machine of a failed run reports the reason', () => {
    const failed = world.cloudPolicies.filter((policy) => lastEndedAttempt(policy, now)?.result === 'Failed');
    expect(failed.length).toBeGreaterThan(0);
    for (const policy of failed) {
      const withReason = toCloudObjects(policy, now).filter((object) => object.lastBackup.failureMessage !== null);
      expect(withReason.map((object) => object.lastBackup.status)).toEqual(['Failed']);
    }
  });

  test('a machine that was never backed up says so', () => {
    const policy = world.cloudPolicies.find((entry) => lastAttempt(entry, now) === undefined);
    const [object] = policy ? toCloudObjects(policy, now) : [];
    const status = object?.lastBackup ?? { endTime: null, failureMessage: null, status: 'None' };
    expect(status).toEqual({ endTime: null, failureMessage: null, status: 'None' });
  });
});

test('discovery finds every computer with an agent, and some unprotected ones', () => {
  const wires = world.computers.map(toComputer);
  const protectedCount = wires.filter((wire) => wire.backupAgentInstallationStatus === 'Installed').length;
  expect(protectedCount).toBe(world.agentJobs.length);
  expect(wires.length - protectedCount).toBeGreaterThan(200);
  expect(new Set(wires.map((wire) => wire.instanceUid)).size).toBe(wires.length);
  expect(new Set(wires.map((wire) => wire.status))).toEqual(new Set(['Online', 'Offline', 'Error']));
});

test('every computer leads to its company, by its management agent or by the rule that found it', () => {
  const owners = new Map<string, string>([
    ...toManagementAgents(world, now).map((agent) => [agent.instanceUid, agent.organizationUid] as const),
    ...world.companies
      .map((company) => toDiscoveryRule(company, world, now))
      .map((rule) => [rule.instanceUid, rule.companyUid] as const),
  ]);
  for (const computer of world.computers) {
    const wire = toComputer(computer);
    expect(owners.get(wire.managementAgentUid ?? wire.ruleUid ?? '')).toBe(computer.company.uid);
  }
});

test('management agents have ids of their own, and none has been heard of after now', () => {
  const agents = toManagementAgents(world, now);
  expect(new Set(agents.map((agent) => agent.instanceUid)).size).toBe(agents.length);
  for (const agent of agents) {
    const silentMs = now - Date.parse(agent.lastHeartbeatTime);
    expect(silentMs).toBeGreaterThan(0);
    if (agent.connectionStatus === 'Online') expect(silentMs).toBeLessThan(180_000);
  }
});

test('a discovery rule counts the computers it found, and ran within a day', () => {
  for (const company of world.companies) {
    const rule = toDiscoveryRule(company, world, now);
    expect(rule.onlineComputersCount + rule.offlineComputersCount).toBe(rule.totalComputersCount);
    expect(now - Date.parse(rule.lastRun)).toBeLessThan(86_400_000);
  }
});

test('licence usage adds up: what is new and what is used is what is rented', () => {
  const workloads = world.companies.flatMap((company) =>
    toLicenceUsage(company, world).servers.flatMap((server) => server.workloads),
  );
  expect(workloads.length).toBeGreaterThan(150);
  for (const workload of workloads) expect(workload.newCount + workload.usedCount).toBe(workload.rentalCount);
});
