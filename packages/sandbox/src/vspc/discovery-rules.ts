import type { Company } from '../world/companies.ts';
import type { Computer } from '../world/computers.ts';
import { uid, whole } from '../world/random.ts';
import { dayMs } from '../world/schedule.ts';
import type { World } from '../world/world.ts';
import { instant } from './instants.ts';

/** The id of the one rule of a company. */
export function discoveryRuleUid(company: Company): string {
  return uid(company.id, 290);
}

/** The rule that found the unprotected computers of a company. It runs once a night. */
export function toDiscoveryRule(company: Company, world: World, nowMs: number) {
  const found = world.computers.filter((computer) => computer.company === company && !computer.agent);
  const master = world.servers.find((server) => server.owner === company);
  const runMs = whole(60, 300, company.id, 350) * 60_000;
  const lastRunMs = Math.floor((nowMs - runMs) / dayMs) * dayMs + runMs;
  const count = (matches: (computer: Computer) => boolean) => found.filter(matches).length;
  return {
    name: `${company.name} network`,
    masterAgentUid: master?.managementAgentUid ?? uid(company.id, 351),
    instanceUid: discoveryRuleUid(company),
    locationUid: uid(company.id, 21),
    companyUid: company.uid,
    systemType: 'Windows',
    status: 'Success',
    lastRun: instant(lastRunMs),
    filter: {
      exclusionMask: null,
      ignoreInaccessibleMachine: false,
      osTypes: null,
      applications: null,
      customApplication: null,
      platforms: null,
    },
    totalComputersCount: found.length,
    onlineComputersCount: count((computer) => computer.isOnline),
    offlineComputersCount: count((computer) => !computer.isOnline),
  };
}
