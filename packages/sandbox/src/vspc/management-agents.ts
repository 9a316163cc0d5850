import type { Computer } from '../world/computers.ts';
import { uid, unit, whole } from '../world/random.ts';
import { dayMs } from '../world/schedule.ts';
import type { Server } from '../world/servers.ts';
import type { World } from '../world/world.ts';
import { toComputerInfo } from './computers.ts';
import { instant } from './instants.ts';

const version = '9.1.0.30345';

/** What runs on every machine the console manages: its backup servers, and the computers with backup agents. */
export function toManagementAgents(world: World, nowMs: number) {
  const servers = [...world.servers, ...world.microsoft365Servers].map((server) => ofServer(server, nowMs));
  return [...servers, ...world.computers.flatMap((computer) => ofComputer(computer, nowMs))];
}

function ofServer(server: Server, nowMs: number) {
  return {
    locationUid: server.locationUid,
    instanceUid: server.managementAgentUid,
    organizationUid: server.organizationUid,
    hostName: server.name,
    friendlyName: null,
    lastHeartbeatTime: heartbeat(server.id, true, nowMs),
    version,
    discoveryTime: instant(Date.UTC(2021, 1, 3, 7)),
    tag: null,
    status: 'Healthy',
    type: server.owner ? 'Client' : 'Hosted',
    connectionStatus: 'Online',
    isRebootRequired: false,
    connectionAccount: null,
    versionStatus: 'UpToDate',
    role: server.owner ? 'Master' : 'Client',
  };
}

function ofComputer(computer: Computer, nowMs: number) {
  const { agent, company, id } = computer;
  if (!agent) return [];
  return [
    {
      locationUid: uid(company.id, 21),
      instanceUid: agent.managementAgentUid,
      organizationUid: company.uid,
      hostName: computer.hostName,
      friendlyName: null,
      lastHeartbeatTime: heartbeat(id, computer.isOnline, nowMs),
      version,
      discoveryTime: instant(computer.discoveredMs),
      tag: null,
      status: computer.hasFailed ? 'Error' : computer.isOnline ? 'Healthy' : 'Inaccessible',
      type: 'Client',
      computerInfo: toComputerInfo(computer),
      connectionStatus: computer.isOnline ? 'Online' : 'Inaccessible',
      isRebootRequired: unit(id, 340) < 0.04,
      connectionAccount: null,
      versionStatus: unit(id, 341) < 0.9 ? 'UpToDate' : 'OutOfDate',
      role: 'Client',
    },
  ];
}

/** Within the last minutes for what is online; up to three weeks ago, the same instant every time, for what is not. */
function heartbeat(id: number, isOnline: boolean, nowMs: number): string {
  if (isOnline) return instant(nowMs - whole(1, 170, id, 342) * 1000);
  const daysAgo = 1 + ((Math.floor(nowMs / dayMs) + whole(0, 20, id, 343)) % 21);
  return instant((Math.floor(nowMs / dayMs) - daysAgo) * dayMs + whole(0, 86_399, id, 344) * 1000);
}
