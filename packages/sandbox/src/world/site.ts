import type { Company } from './companies.ts';
import type { Character, JobBase, Microsoft365Organization, ServerJob } from './job.ts';
import { pick, textHash, uid, unit, whole } from './random.ts';
import type { Repository } from './repositories.ts';
import { everyDay, localDaily, type Schedule, workDays } from './schedule.ts';
import type { Server } from './servers.ts';
import { characterOf } from './trouble.ts';

/** Everything the jobs of one company are built from, and the jobs built so far. */
export interface Site {
  company: Company;
  /** Its own servers, or the shared one it was put on. */
  servers: readonly [Server, ...Server[]];
  /** The provider's shared server: for agents, twins, cloud policies and the repositories of copies. */
  sharedServer: Server;
  repositories: ReadonlyMap<Server, Repository[]>;
  organization: Microsoft365Organization | undefined;
  usedNames: Set<string>;
  backups: ServerJob[];
}

const gigabyte = 1024 ** 3;

/** The parts all jobs of a company have in common; the caller sets what its product adds. */
export function buildBase(site: Site, place: number, name: string, server: Server): Omit<JobBase, 'messages'> {
  const { company } = site;
  const id = textHash(`${company.uid}/job/${place}`);
  const schedule = nightly(id, company.country.offsetMinutes);
  return {
    id,
    uid: uid(id, 70),
    name,
    company,
    organizationUid: company.uid,
    organizationName: company.name,
    offsetMinutes: company.country.offsetMinutes,
    server,
    schedule,
    after: undefined,
    character: characterOf(unit(id, 71)),
    objects: [`${company.tag}-SRV01`],
    sourceBytes: Math.floor(gigabyte * 12 * 300 ** unit(id, 72)),
    changeShare: 0.015 + 0.05 * unit(id, 73),
    bytesPerSecond: whole(8, 90, id, 74) * 1024 ** 2,
    repository: repositoryOf(site, server, id),
    retriesMax: 0,
    retryWaitMs: 600_000,
    createdMs: Date.UTC(2021, 0, 10) + whole(0, 1700, id, 75) * 86_400_000 + whole(0, 36_000, id, 76) * 1000,
  };
}

/** Returns a name that is unique in the company: a repeated name gets a number, as administrators do. */
export function ownName(site: Site, preferred: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? preferred : `${preferred} ${number}`;
    if (!site.usedNames.has(name)) {
      site.usedNames.add(name);
      return name;
    }
  }
}

/** Troubles that are counted in days make no sense for what runs many times a day. */
export function frequentCharacter(character: Character): Character {
  return character === 'disabled' || character === 'absent' || character === 'chronic' ? 'steady' : character;
}

export function repositoryOf(site: Site, server: Server, id: number): Repository | undefined {
  const repositories = site.repositories.get(server) ?? [];
  return repositories[whole(0, Math.max(0, repositories.length - 1), id, 77)];
}

function nightly(id: number, offsetMinutes: number): Schedule {
  const localMinute = (19 * 60 + 5 * whole(0, 108, id, 78)) % 1440;
  return localDaily(localMinute, unit(id, 79) < 0.86 ? everyDay : workDays, offsetMinutes);
}

/** Names of machines, never none. */
export function machineNames(site: Site, least: number, most: number, id: number): [string, ...string[]] {
  const roles = ['DC', 'FS', 'SQL', 'APP', 'RDS', 'WEB', 'ERP', 'PRN', 'EXCH', 'MON'] as const;
  const name = (index: number) =>
    `${site.company.tag}-${pick(roles, id, index, 80)}${String(whole(1, 9, id, index, 81)).padStart(2, '0')}`;
  const count = whole(least, most, id, 82);
  return [name(0), ...Array.from({ length: count - 1 }, (_, index) => name(index + 1))];
}
