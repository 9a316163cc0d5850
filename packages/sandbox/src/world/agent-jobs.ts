import type { Agent, AgentJob } from './job.ts';
import { pick, textHash, uid, unit, whole } from './random.ts';
import { buildBase, frequentCharacter, ownName, repositoryOf, type Site } from './site.ts';

const policyNames = [
  'Workstation Daily',
  'Server Protection',
  'Laptops',
  'Reception PCs',
  'Management Notebooks',
] as const;

/**
 * A job of an agent that the console manages. Some companies name the job after the policy alone, so that many jobs of
 * one company bear one name; most put the computer's name in.
 */
export function buildAgentJob(site: Site, place: number): AgentJob {
  const agent = buildAgent(site, place);
  const policyName = agent.mode === 'Server' ? 'Server Protection' : pick(policyNames, site.company.id, 110);
  const isBare = site.company.id % 100 < 8;
  const name = isBare ? policyName : ownName(site, `${policyName} - ${agent.name}`);
  const base = buildBase(site, place, name, { ...site.sharedServer, id: agent.id, name: agent.name });
  const isPeriodic = agent.mode === 'Server' && unit(agent.id, 111) < 0.08;
  const schedule = { kind: 'periodically', periodMinutes: 240, phaseMinutes: whole(0, 239, agent.id, 112) } as const;
  return {
    ...base,
    repository: repositoryOf(site, site.sharedServer, base.id),
    product: 'agent',
    agent,
    policyName,
    backupMode: agent.mode === 'Server' ? 'EntireComputer' : pick(['EntireComputer', 'Volume', 'File'], agent.id, 113),
    messages: 'agent',
    objects: [agent.name],
    sourceBytes: base.sourceBytes / 6,
    retriesMax: isPeriodic ? 0 : 2,
    schedule: isPeriodic ? schedule : base.schedule,
    character: isPeriodic ? frequentCharacter(base.character) : base.character,
  };
}

function buildAgent(site: Site, place: number): Agent {
  const { company } = site;
  const id = textHash(`${company.uid}/agent/${place}`);
  const mode = unit(id, 114) < 0.4 ? 'Server' : 'Workstation';
  const system = pick(
    mode === 'Server' ? ['Windows', 'Windows', 'Linux'] : ['Windows', 'Windows', 'Windows', 'Mac'],
    id,
    115,
  );
  const kind = mode === 'Server' ? 'SRV' : pick(['NB', 'PC', 'LAPTOP', 'WS'], company.id, 116);
  // Now and then a new computer was given the name of an old one that is still there.
  const number = unit(id, 117) < 0.03 ? 1 : whole(1, 80, id, 118);
  return {
    id,
    uid: uid(id, 119),
    name: `${company.tag}-${kind}${String(number).padStart(2, '0')}`,
    company,
    system,
    mode,
    isVirtual: mode === 'Server' && unit(id, 120) < 0.3,
    managementAgentUid: uid(id, 121),
    version: system === 'Windows' ? '13.0.1.1062' : system === 'Mac' ? '13.0.0.612' : '13.0.1.203',
  };
}
