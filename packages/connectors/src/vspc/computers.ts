import { z } from 'zod';
import type { Read, SourceComputer } from '../ports/backup-source.ts';
import type { VspcClient } from './client.ts';
import { optionalInstant, optionalUid, text, uid } from './fields.ts';
import type { Listing } from './listing.ts';
import { list, readLookup } from './listing.ts';

/** DiscoveredComputer with its ComputerInfo. Whose it is, say its management agent or the rule that found it. */
const computerSchema = z.object({
  instanceUid: uid,
  ruleUid: optionalUid,
  managementAgentUid: optionalUid,
  status: text,
  backupAgentInstallationStatus: text,
  backupAgentManagementStatus: text,
  info: z.object({
    hostName: z.string().min(1),
    fqdn: text,
    guestOs: text,
    platformType: text,
    ipAddresses: z.array(z.string()).nullish(),
  }),
});

interface ManagementAgent {
  externalId: string;
  companyExternalId: string | null;
  lastSeenAt: Date | null;
}

const managementAgentSchema = z.object({
  instanceUid: uid,
  organizationUid: optionalUid,
  lastHeartbeatTime: optionalInstant,
});

const managementAgents: Listing<ManagementAgent> = {
  entity: 'management agent',
  path: 'infrastructure/managementAgents',
  read: (raw) => {
    const agent = managementAgentSchema.parse(raw);
    const { instanceUid: externalId, organizationUid: companyExternalId, lastHeartbeatTime: lastSeenAt } = agent;
    return { externalId, companyExternalId, lastSeenAt };
  },
};

const ruleSchema = z.object({ instanceUid: uid, companyUid: optionalUid });

const discoveryRules: Listing<{ externalId: string; companyExternalId: string | null }> = {
  entity: 'discovery rule',
  path: 'discovery/rules',
  read: (raw) => {
    const rule = ruleSchema.parse(raw);
    return { externalId: rule.instanceUid, companyExternalId: rule.companyUid };
  },
};

/** Computers that discovery found in the companies' networks, protected or not. */
export async function* listComputers(client: VspcClient, signal: AbortSignal): AsyncIterable<Read<SourceComputer>> {
  const agents = await readLookup(client, managementAgents, signal);
  const rules = await readLookup(client, discoveryRules, signal);
  yield* agents.failed;
  yield* rules.failed;
  const computers: Listing<SourceComputer> = {
    entity: 'computer',
    path: 'discovery/computers',
    read: (raw) => {
      const computer = computerSchema.parse(raw);
      const agent = agents.byId.get(computer.managementAgentUid ?? '');
      const rule = rules.byId.get(computer.ruleUid ?? '');
      return {
        externalId: computer.instanceUid,
        companyExternalId: agent?.companyExternalId ?? rule?.companyExternalId ?? null,
        hostName: computer.info.hostName,
        fqdn: computer.info.fqdn,
        operatingSystem: computer.info.guestOs,
        platform: computer.info.platformType,
        ipAddresses: computer.info.ipAddresses ?? [],
        status: computer.status,
        agentInstallationStatus: computer.backupAgentInstallationStatus,
        agentManagementStatus: computer.backupAgentManagementStatus,
        lastSeenAt: agent?.lastSeenAt ?? null,
      };
    },
  };
  yield* list(client, computers, signal);
}
