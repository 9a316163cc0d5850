import { buildAgentJob } from './agent-jobs.ts';
import { buildCompanies, buildProvider, type Company, type Provider } from './companies.ts';
import { buildComputers, type Computer } from './computers.ts';
import { buildCloudPolicy, buildMicrosoft365Job } from './hosted-jobs.ts';
import type { AgentJob, CloudPolicy, Job, Microsoft365Job, Microsoft365Organization, ServerJob } from './job.ts';
import { buildProviderJobs } from './provider-jobs.ts';
import { textHash, uid, unit } from './random.ts';
import { buildRepositories, type Repository } from './repositories.ts';
import * as serverJobs from './server-jobs.ts';
import { buildMicrosoft365Servers, buildOwnServers, buildSharedServers, type Server } from './servers.ts';
import type { Site } from './site.ts';

/** The invented provider and all that is its customers'. It never changes: what happens in it is in history.ts. */
export interface World {
  seed: number;
  provider: Provider;
  companies: Company[];
  servers: Server[];
  microsoft365Servers: Server[];
  repositories: Repository[];
  organizations: Microsoft365Organization[];
  serverJobs: ServerJob[];
  agentJobs: AgentJob[];
  microsoft365Jobs: Microsoft365Job[];
  cloudPolicies: CloudPolicy[];
  computers: Computer[];
}

/** All jobs of a world, of all products. */
export function allJobs(world: World): Job[] {
  return [...world.serverJobs, ...world.agentJobs, ...world.microsoft365Jobs, ...world.cloudPolicies];
}

/**
 * Builds a provider: the same seed and count always give the same one.
 * @param companyCount 60 companies make about 1,500 jobs
 */
export function buildWorld(seed: number, companyCount: number): World {
  const provider = buildProvider(seed);
  const companies = buildCompanies(seed, companyCount);
  const shared = buildSharedServers(provider, Math.max(2, Math.ceil(companyCount / 12)));
  const microsoft365Servers = buildMicrosoft365Servers(provider);
  const own = new Map(companies.map((company) => [company, buildOwnServers(company)]));
  const servers = [...shared, ...[...own.values()].flat()];
  const repositories = new Map(servers.map((server) => [server, buildRepositories(server)]));
  const world: World = {
    seed,
    provider,
    companies,
    servers,
    microsoft365Servers,
    repositories: [...repositories.values()].flat(),
    organizations: [],
    serverJobs: [],
    agentJobs: [],
    microsoft365Jobs: [],
    cloudPolicies: [],
    computers: [],
  };
  const [home] = shared;
  if (home) world.serverJobs.push(...buildProviderJobs(provider, home, repositories.get(home)?.[0]));
  for (const company of companies)
    addCompany(world, buildSite(company, own.get(company) ?? [], shared, world, repositories));
  return world;
}

function buildSite(
  company: Company,
  own: readonly Server[],
  shared: readonly Server[],
  world: World,
  repositories: ReadonlyMap<Server, Repository[]>,
): Site {
  const sharedServer = shared[company.id % shared.length];
  if (!sharedServer) throw new Error('The sandbox needs at least one shared server');
  const [first, ...others] = own;
  return {
    company,
    servers: first ? [first, ...others] : [sharedServer],
    sharedServer,
    repositories,
    organization: buildOrganization(company, world.microsoft365Servers),
    usedNames: new Set(),
    backups: [],
  };
}

function buildOrganization(company: Company, servers: readonly Server[]): Microsoft365Organization | undefined {
  const server = servers[company.id % servers.length];
  if (!server || unit(company.id, 150) < 0.15) return undefined;
  const id = textHash(`${company.uid}/microsoft365`);
  const name = `${company.slug}.onmicrosoft.com`;
  return { id, uid: uid(id, 151), name, company, server, isMappedInJobs: unit(id, 152) > 0.1 };
}

function addCompany(world: World, site: Site): void {
  if (site.organization) world.organizations.push(site.organization);
  for (let place = 0; place < site.company.size; place += 1) addJob(world, site, place);
  const [first] = site.backups;
  const hasTwins = site.company.id % 11 === 3 || site.company === world.companies[3];
  if (first && hasTwins) world.serverJobs.push(serverJobs.buildTwin(site, site.company.size, first));
  const agents = world.agentJobs.filter((job) => job.company === site.company).map((job) => job.agent);
  world.computers.push(...buildComputers(site.company, agents));
}

/** Which share of a company's jobs is of which kind; the first job is always a backup of virtual machines. */
function addJob(world: World, site: Site, place: number): void {
  const share = place === 0 ? 0 : unit(site.company.id, place, 153);
  if (share < 0.23) world.serverJobs.push(serverJobs.buildVirtualMachineJob(site, place));
  else if (share < 0.31) world.serverJobs.push(serverJobs.buildCopyJob(site, place));
  else if (share < 0.35) world.serverJobs.push(serverJobs.buildReplicaJob(site, place));
  else if (share < 0.39) world.serverJobs.push(serverJobs.buildLogJob(site, place));
  else if (share < 0.41) world.serverJobs.push(serverJobs.buildTapeJob(site, place));
  else if (share < 0.55) world.serverJobs.push(serverJobs.buildServerAgentJob(site, place));
  else if (share < 0.62) world.serverJobs.push(serverJobs.buildFileShareJob(site, place));
  else if (share < 0.69) world.cloudPolicies.push(buildCloudPolicy(site, place));
  else if (share < 0.79 && site.organization)
    world.microsoft365Jobs.push(buildMicrosoft365Job(site, place, site.organization));
  else world.agentJobs.push(buildAgentJob(site, place));
}
