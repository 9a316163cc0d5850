import type { Company } from './companies.ts';
import type { Agent } from './job.ts';
import { pick, textHash, uid, unit, whole } from './random.ts';

/** A computer that discovery has found in a customer's network, with an agent on it or not. */
export interface Computer {
  id: number;
  uid: string;
  company: Company;
  agent: Agent | undefined;
  hostName: string;
  system: 'Windows' | 'Linux' | 'Mac';
  kind: 'DomainController' | 'Server' | 'Workstation' | 'Linux' | 'Mac';
  isOnline: boolean;
  hasFailed: boolean;
  isVirtual: boolean;
  discoveredMs: number;
}

/** Every computer with an agent, and about half as many unprotected ones. */
export function buildComputers(company: Company, agents: readonly Agent[]): Computer[] {
  const found = agents.map((agent) => buildComputer(company, agent.name, agent));
  const count = whole(1, Math.max(2, company.size / 2), company.id, 140);
  const bare = Array.from({ length: count }, (_, index) =>
    buildComputer(
      company,
      `${company.tag}-${pick(['PC', 'SRV', 'KIOSK', 'LAB'], company.id, index, 141)}${101 + index}`,
      undefined,
    ),
  );
  return [...found, ...bare];
}

function buildComputer(company: Company, hostName: string, agent: Agent | undefined): Computer {
  const id = textHash(`${company.uid}/computer/${agent?.uid ?? hostName}`);
  const system = agent?.system ?? pick(['Windows', 'Windows', 'Windows', 'Linux'], id, 142);
  const isServer = agent ? agent.mode === 'Server' : hostName.includes('-SRV');
  const windowsKind = isServer ? (unit(id, 143) < 0.2 ? 'DomainController' : 'Server') : 'Workstation';
  return {
    id,
    uid: uid(id, 144),
    company,
    agent,
    hostName,
    system,
    kind: system === 'Windows' ? windowsKind : system,
    isOnline: unit(id, 145) < 0.86,
    hasFailed: unit(id, 146) < 0.03,
    isVirtual: agent?.isVirtual ?? unit(id, 147) < 0.3,
    discoveredMs: Date.UTC(2024, 2, 1) + whole(0, 500, id, 148) * 86_400_000,
  };
}
