import type { Company } from '../world/companies.ts';
import { textHash, uid } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** One line of usage: so many objects of a kind, each of a weight in licence units. */
interface Usage {
  key: string;
  description: string;
  platform: string;
  count: number;
  weight: number;
}

/** Usage follows from what the company has: its machines, agents, users and file shares. */
export function toLicenceUsage(company: Company, world: World) {
  const machines = world.serverJobs.filter((job) => job.company === company && job.type === 'BackupVm');
  const names = new Set(machines.flatMap((job) => job.objects));
  const agents = world.agentJobs.filter((job) => job.company === company);
  const servers = agents.filter((job) => job.agent.mode === 'Server').length;
  const shares = world.serverJobs.filter((job) => job.company === company && job.type === 'BackupFile').length;
  const organization = world.organizations.find((entry) => entry.company === company);
  const server = machines[0]?.server;
  return {
    organizationUid: company.uid,
    organizationType: 'Company',
    providerUid: world.provider.uid,
    servers: [
      ...(server
        ? [
            toServerUsage(server.uid, 'BackupAndReplication', [
              { key: 'vm', description: 'VMs', platform: 'VMware vSphere', count: names.size, weight: 1 },
              { key: 'nas', description: 'File shares', platform: 'NAS', count: shares, weight: 1 },
            ]),
          ]
        : []),
      toServerUsage(uid(world.seed, 300), 'VSPC', [
        { key: 'server', description: 'Servers', platform: 'Server agents', count: servers, weight: 1 },
        {
          key: 'ws',
          description: 'Workstations',
          platform: 'Workstation agents',
          count: agents.length - servers,
          weight: 0.33,
        },
      ]),
      ...(organization
        ? [
            toServerUsage(organization.server.uid, 'VB365', [
              {
                key: 'user',
                description: 'Microsoft 365 users',
                platform: 'Users',
                count: company.size * 4,
                weight: 0.1,
              },
            ]),
          ]
        : []),
    ],
  };
}

function toServerUsage(serverUid: string, serverType: string, usages: readonly Usage[]) {
  return { serverUid, serverType, workloads: usages.filter((usage) => usage.count > 0).map(toWorkload) };
}

function toWorkload(usage: Usage) {
  const newCount = Math.floor(usage.count / 15);
  const units = (count: number) => Math.round(count * usage.weight * 100) / 100;
  const figures = {
    rentalUnits: units(usage.count),
    newUnits: units(newCount),
    usedUnits: units(usage.count - newCount),
    rentalCount: usage.count,
    newCount,
    usedCount: usage.count - newCount,
  };
  return {
    id: uid(textHash(usage.key), 301),
    description: usage.description,
    unitType: 'Points',
    ...figures,
    workloadsByPlatform: [{ typeId: usage.key, description: usage.platform, weight: usage.weight, ...figures }],
  };
}
