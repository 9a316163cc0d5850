import { uid } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { toAgent, toAgentJob } from './agents.ts';
import { toCloudObjects, toCloudPolicy } from './cloud-policies.ts';
import { answerCollection, isExpanded, type Query, textOf } from './collection.ts';
import { toCompany } from './companies.ts';
import { toComputer } from './computers.ts';
import { toDiscoveryRule } from './discovery-rules.ts';
import { toFileShareJob, toFileShareObject } from './file-share-jobs.ts';
import { heatmapRange, toHeatmap } from './heatmap.ts';
import { instant } from './instants.ts';
import { toLicenceUsage } from './licensing.ts';
import { toManagementAgents } from './management-agents.ts';
import { toCompanyMapping, toMicrosoft365Job, toMicrosoft365Organization } from './microsoft365.ts';
import { toServerAgentJob } from './server-agent-jobs.ts';
import { toServerJob } from './server-jobs.ts';
import { toBackupServer, toRepository } from './servers.ts';
import { currentUser, usersOf } from './users.ts';

/** What a resource is answered from: the world, the instant, and the caller's query. */
export interface Asked {
  world: World;
  nowMs: number;
  query: Query;
}

export type Resource = (asked: Asked) => object;

const servers = '/infrastructure/backupServers';
const cloudMachines = `${servers}/publicCloud/policies/virtualMachines`;
const microsoft365 = '/infrastructure/vb365Servers/organizations';

/** Every resource of the sandbox by its path below `/api/v3`, as in the published description. All are read with GET. */
export const resources: Readonly<Record<string, Resource>> = {
  '/about': ({ world }) => ({ data: toAbout(world) }),
  '/users/me': ({ world }) => ({ data: currentUser(world) }),
  '/users': ({ world, query }) => answerCollection(usersOf(world), (user) => user, query),
  '/organizations/companies': ({ world, query }) =>
    answerCollection(world.companies, (company) => toCompany(company, isExpanded(query, 'Organization')), query),
  [servers]: ({ world, query }) => answerCollection(world.servers, toBackupServer, query),
  [`${servers}/jobs`]: ({ world, nowMs, query }) =>
    answerCollection(world.serverJobs, (job) => toServerJob(job, nowMs), query),
  [`${servers}/jobs/agentJobs`]: ({ world, nowMs, query }) => {
    const jobs = world.serverJobs.filter((job) => job.type === 'AgentBackupJob' || job.type === 'AgentPolicy');
    return answerCollection(jobs, (job) => toServerAgentJob(job, isExpanded(query, 'BackupServerJob'), nowMs), query);
  },
  [`${servers}/jobs/fileShareJobs`]: ({ world, nowMs, query }) => {
    const jobs = world.serverJobs.filter((job) => job.type === 'BackupFile');
    return answerCollection(jobs, (job) => toFileShareJob(job, isExpanded(query, 'BackupServerJob'), nowMs), query);
  },
  [`${servers}/jobs/fileShareJobs/objects`]: ({ world, nowMs, query }) => {
    const jobs = world.serverJobs.filter((job) => job.type === 'BackupFile');
    return answerCollection(jobs, (job) => toFileShareObject(job, nowMs), query);
  },
  [`${servers}/repositories`]: ({ world, nowMs, query }) => {
    const isWithInfo = isExpanded(query, 'BackupRepositoryInfo');
    return answerCollection(world.repositories, (repository) => toRepository(repository, isWithInfo, nowMs), query);
  },
  [cloudMachines]: ({ world, nowMs, query }) =>
    answerCollection(world.cloudPolicies, (policy) => toCloudPolicy(policy, nowMs), query),
  [`${cloudMachines}/objects`]: ({ world, nowMs, query }) => {
    const objects = world.cloudPolicies.flatMap((policy) => toCloudObjects(policy, nowMs));
    return answerCollection(objects, (object) => object, query);
  },
  '/infrastructure/backupAgents': ({ world, nowMs, query }) =>
    answerCollection(world.agentJobs, (job) => toAgent(job, nowMs), query),
  '/infrastructure/backupAgents/jobs': ({ world, nowMs, query }) =>
    answerCollection(world.agentJobs, (job) => toAgentJob(job, nowMs), query),
  [microsoft365]: ({ world, nowMs, query }) => {
    const isWithServer = isExpanded(query, 'Vb365Server');
    const toEntity = (organization: World['organizations'][number]) =>
      toMicrosoft365Organization(organization, world.microsoft365Jobs, isWithServer, nowMs);
    return answerCollection(world.organizations, toEntity, query);
  },
  [`${microsoft365}/companyMappings`]: ({ world, query }) =>
    answerCollection(world.organizations, toCompanyMapping, query),
  [`${microsoft365}/jobs`]: ({ world, nowMs, query }) =>
    answerCollection(world.microsoft365Jobs, (job) => toMicrosoft365Job(job, nowMs), query),
  '/infrastructure/jobSessionHeatmap': ({ world, nowMs, query }) => {
    const { fromMs, toMs } = heatmapRange(query);
    return { data: toHeatmap(world, fromMs, toMs, nowMs) };
  },
  '/infrastructure/managementAgents': ({ world, nowMs, query }) =>
    answerCollection(toManagementAgents(world, nowMs), (agent) => agent, query),
  '/discovery/rules': ({ world, nowMs, query }) =>
    answerCollection(world.companies, (company) => toDiscoveryRule(company, world, nowMs), query),
  '/discovery/computers': ({ world, query }) => answerCollection(world.computers, toComputer, query),
  '/licensing/usage/organizations': ({ world, query }) => {
    const organizationUid = textOf(query, 'organizationUid');
    const companies = world.companies.filter((company) => (organizationUid ?? company.uid) === company.uid);
    return answerCollection(companies, (company) => toLicenceUsage(company, world), query);
  },
};

function toAbout(world: World) {
  return {
    installationId: uid(world.seed, 311),
    installationDate: instant(Date.UTC(2020, 4, 14, 8)),
    actualVawVersion: '13.0.1.1062',
    actualValVersion: '13.0.1.203',
    actualVamVersion: '13.0.0.612',
    serverVersion: '9.1.0.30345',
    windowsManagementAgentVersion: '9.1.0.30345',
    linuxManagementAgentVersion: '9.1.0.30345',
    macManagementAgentVersion: '9.1.0.30345',
  };
}
