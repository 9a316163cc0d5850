import type { JobBase, Platform, ServerJob } from './job.ts';
import { pick, uid, unit, whole } from './random.ts';
import { localDaily } from './schedule.ts';
import type { Server } from './servers.ts';
import { buildBase, frequentCharacter, machineNames, ownName, repositoryOf, type Site } from './site.ts';

const virtualMachineNames = [
  'Daily Backup',
  'Backup Job 1',
  'Production VMs',
  'Domain Controllers',
  'SQL Servers Nightly',
  'File and Print',
  'ERP Backup',
  'Mail Servers',
  'Terminal Servers',
  'Web Frontends',
  'Infrastructure VMs',
  'Test and Development',
  'Linux VMs',
  'Phone System',
] as const;

/** Backup of virtual machines. The first one of some companies bears a name another job of the company has too. */
export function buildVirtualMachineJob(site: Site, place: number): ServerJob {
  const draft = buildBase(site, place, '', pick(site.servers, site.company.id, place, 90));
  const platform = platformOf(draft.server);
  const name = ownName(site, pick(virtualMachineNames, draft.id, 91));
  const isPeriodic = unit(draft.id, 92) < 0.05;
  const isWeekly = !isPeriodic && unit(draft.id, 93) < 0.04;
  const job: ServerJob = {
    ...asServerJob(draft, 'BackupVm', platform),
    name,
    messages: 'vm',
    objects: machineNames(site, 1, 8, draft.id),
    retriesMax: 3,
  };
  if (isPeriodic) Object.assign(job, everyHours(4, draft));
  if (isWeekly) job.schedule = localDaily(7 * 60, [6], draft.offsetMinutes);
  site.backups.push(job);
  return job;
}

/** A twin: same company, same name, another server; matching by name cannot distinguish them. */
export function buildTwin(site: Site, place: number, of: ServerJob): ServerJob {
  const base = buildBase(site, place, of.name, site.sharedServer);
  const objects = machineNames(site, 1, 3, base.id);
  return { ...asServerJob(base, 'BackupVm', platformOf(base.server)), messages: 'vm', objects, retriesMax: 3 };
}

/** Copies follow a backup by the chain, or run all the time, or nightly. */
export function buildCopyJob(site: Site, place: number): ServerJob {
  const source = site.backups.at(-1);
  const base = buildBase(site, place, '', source?.server ?? site.servers[0]);
  const way = unit(base.id, 94);
  const job: ServerJob = {
    ...asServerJob(base, way < 0.6 ? 'BackupCopy' : 'SimpleBackupCopy', platformOf(base.server)),
    name: ownName(site, source ? `${source.name} - Offsite Copy` : 'Offsite Copy'),
    messages: 'copy',
    objects: source?.objects ?? base.objects,
    repository: repositoryOf(site, site.sharedServer, base.id),
  };
  if (source?.schedule.kind === 'daily' && way < 0.45) {
    return { ...job, schedule: { kind: 'chained', to: source.schedule }, after: source };
  }
  if (way > 0.8) {
    const schedule = { kind: 'continuously', periodMinutes: 240, phaseMinutes: whole(0, 239, base.id, 95) } as const;
    return { ...job, schedule, character: frequentCharacter(job.character) };
  }
  return job;
}

export function buildReplicaJob(site: Site, place: number): ServerJob {
  const base = buildBase(site, place, '', site.servers[0]);
  const objects = machineNames(site, 1, 3, base.id);
  const job: ServerJob = {
    ...asServerJob(base, 'ReplicationVM', platformOf(base.server)),
    name: ownName(site, `Replicate ${objects[0]}`),
    messages: 'replica',
    objects,
    repository: undefined,
    retriesMax: 2,
  };
  return unit(base.id, 96) < 0.35 ? Object.assign(job, everyHours(4, base)) : job;
}

/** Transaction logs, every quarter of an hour to every four hours: so that new runs appear all the time. */
export function buildLogJob(site: Site, place: number): ServerJob {
  const base = buildBase(site, place, '', site.servers[0]);
  const objects = machineNames(site, 1, 1, base.id);
  const periodMinutes = pick([15, 60, 120, 240, 240, 240], base.id, 97);
  return {
    ...asServerJob(base, 'SqlLogBackup', platformOf(base.server)),
    name: ownName(site, `${objects[0]} Transaction Logs`),
    messages: 'log',
    objects,
    sourceBytes: base.sourceBytes / 40,
    ...everyMinutes(periodMinutes, base),
  };
}

export function buildTapeJob(site: Site, place: number): ServerJob {
  const base = buildBase(site, place, '', site.servers[0]);
  const monthly = { kind: 'monthly', minuteOfDay: 540, week: pick([1, 2], base.id, 98), weekday: 6 } as const;
  return {
    ...asServerJob(base, 'BackupToTape', platformOf(base.server)),
    name: ownName(site, unit(base.id, 99) < 0.5 ? 'Monthly Tape' : 'Weekly to Tape'),
    messages: 'tape',
    changeShare: 0.6,
    bytesPerSecond: base.bytesPerSecond * 4,
    repository: undefined,
    schedule: unit(base.id, 99) < 0.5 ? monthly : localDaily(10 * 60, [0], base.offsetMinutes),
  };
}

/** Computers with agents that the backup server manages. */
export function buildServerAgentJob(site: Site, place: number): ServerJob {
  const base = buildBase(site, place, '', pick(site.servers, site.company.id, place, 90));
  const system = unit(base.id, 100) < 0.75 ? 'Windows' : 'Linux';
  const label = pick(
    ['Physical Servers', 'Branch Servers', 'Hosts', 'Cluster Nodes', 'Hypervisor Hosts'],
    base.id,
    101,
  );
  return {
    ...asServerJob(base, unit(base.id, 102) < 0.7 ? 'AgentBackupJob' : 'AgentPolicy', 'Physical'),
    name: ownName(site, `${system} ${label}`),
    messages: 'agent',
    system,
    objects: machineNames(site, 1, 5, base.id),
    retriesMax: 3,
  };
}

export function buildFileShareJob(site: Site, place: number): ServerJob {
  const base = buildBase(site, place, '', pick(site.servers, site.company.id, place, 90));
  const share = pick(['projects', 'scans', 'public', 'archive', 'design', 'accounting', 'media'], base.id, 103);
  const host = `${site.company.tag.toLowerCase()}-nas${whole(1, 2, base.id, 104)}`;
  return {
    ...asServerJob(base, 'BackupFile', 'Physical'),
    name: ownName(site, `NAS ${share}`),
    messages: 'files',
    objects: [`\\\\${host}\\${share}`],
  };
}

function asServerJob(base: Omit<JobBase, 'messages'>, type: ServerJob['type'], platform: Platform) {
  return { ...base, product: 'server', type, platform, system: 'Windows', instanceUid: uid(base.id, 105) } as const;
}

function platformOf(server: Server): Platform {
  return unit(server.id, 106) < 0.65 ? 'VSphere' : 'HyperV';
}

function everyHours(hours: number, base: Omit<JobBase, 'messages'>) {
  return everyMinutes(hours * 60, base);
}

function everyMinutes(periodMinutes: number, base: Omit<JobBase, 'messages'>) {
  const phaseMinutes = whole(0, periodMinutes - 1, base.id, 107);
  return {
    schedule: { kind: 'periodically', periodMinutes, phaseMinutes } as const,
    character: frequentCharacter(base.character),
    retriesMax: 0,
  };
}
