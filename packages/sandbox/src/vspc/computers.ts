import type { Computer } from '../world/computers.ts';
import { uid, whole } from '../world/random.ts';
import { discoveryRuleUid } from './discovery-rules.ts';
import { instant } from './instants.ts';

const systems = {
  DomainController: ['Microsoft Windows Server 2022 Standard', '10.0.20348'],
  Server: ['Microsoft Windows Server 2019 Standard', '10.0.17763'],
  Workstation: ['Microsoft Windows 11 Pro', '10.0.26100'],
  Linux: ['Ubuntu 24.04.3 LTS', '6.8.0'],
  Mac: ['macOS 15.6', '15.6'],
} as const;

export function toComputer(computer: Computer) {
  const { agent } = computer;
  return {
    instanceUid: computer.uid,
    ruleUid: agent ? null : discoveryRuleUid(computer.company),
    managementAgentUid: agent ? agent.managementAgentUid : null,
    discoveredTime: instant(computer.discoveredMs, computer.company.country.offsetMinutes),
    backupAgentInstallationStatus: agent ? 'Installed' : 'NotInstalled',
    status: computer.hasFailed ? 'Error' : computer.isOnline ? 'Online' : 'Offline',
    backupAgentVersion: agent?.version ?? '',
    backupAgentManagementStatus: agent ? 'ManagedByConsole' : 'UnManaged',
    info: toComputerInfo(computer),
  };
}

/** What an agent reports about its machine. */
export function toComputerInfo(computer: Computer) {
  const { id } = computer;
  const [guestOs, guestOsVersion] = systems[computer.kind];
  const bytes = [1, 2, 3].map((salt) => whole(16, 255, id, salt, 291).toString(16).toUpperCase());
  return {
    uniqueUid: uid(id, 292),
    biosUuid: uid(id, 293),
    hostName: computer.hostName,
    fqdn: `${computer.hostName.toLowerCase()}.${computer.company.slug}.local`,
    guestOs,
    guestOsType: computer.kind,
    guestOsVersion,
    guestOsSku: computer.system === 'Windows' ? 7 : null,
    platformType: computer.isVirtual ? 'vSphere' : computer.system,
    ipAddresses: [`10.${whole(0, 200, computer.company.id, 294)}.${whole(0, 9, id, 295)}.${whole(2, 254, id, 296)}`],
    macAddresses: [`00:50:56:${bytes.join(':')}`],
    applications: computer.kind === 'DomainController' ? ['MicrosoftActiveDirectory'] : [],
  };
}
