import type { Company } from './companies.ts';
import type { Repository } from './repositories.ts';
import type { Schedule } from './schedule.ts';
import type { Server } from './servers.ts';

/** What kind of life a job leads; see trouble.ts for what each means. */
export type Character =
  | 'steady'
  | 'flaky'
  | 'chronic'
  | 'nagging'
  | 'absent'
  | 'slowing'
  | 'growing'
  | 'dropping'
  | 'contradicting'
  | 'disabled'
  | 'never-ran';

/** Which list of messages a job's product prints from. */
export type MessageFamily = 'vm' | 'copy' | 'replica' | 'log' | 'tape' | 'agent' | 'microsoft365' | 'cloud' | 'files';

/** What every job has, whatever product runs it. */
export interface JobBase {
  id: number;
  /** The id in the console, stable for ever. */
  uid: string;
  name: string;
  /** Undefined for the provider's own jobs. */
  company: Company | undefined;
  organizationUid: string;
  organizationName: string;
  offsetMinutes: number;
  server: Server;
  schedule: Schedule;
  /** The job whose end starts this one, for a chained schedule. */
  after: ServerJob | undefined;
  character: Character;
  messages: MessageFamily;
  /** What it protects, by name. */
  objects: readonly [string, ...string[]];
  sourceBytes: number;
  /** Share of the source that changes from run to run. */
  changeShare: number;
  bytesPerSecond: number;
  repository: Repository | undefined;
  /** Tries after the first one. */
  retriesMax: number;
  retryWaitMs: number;
  createdMs: number;
}

export type ServerJobType =
  | 'BackupVm'
  | 'BackupCopy'
  | 'SimpleBackupCopy'
  | 'ReplicationVM'
  | 'SqlLogBackup'
  | 'BackupToTape'
  | 'AgentBackupJob'
  | 'AgentPolicy'
  | 'BackupFile';

export type Platform = 'VSphere' | 'HyperV' | 'Physical' | 'Microsoft365' | 'Aws' | 'Azure' | 'Google';

/** A job of a backup server: virtual machines, copies, replicas, logs, tape, agents it manages, file shares. */
export interface ServerJob extends JobBase {
  product: 'server';
  type: ServerJobType;
  instanceUid: string;
  platform: Platform;
  system: 'Windows' | 'Linux';
}

/** A computer with a backup agent that the console manages. */
export interface Agent {
  id: number;
  uid: string;
  name: string;
  company: Company;
  system: 'Windows' | 'Linux' | 'Mac';
  mode: 'Server' | 'Workstation';
  isVirtual: boolean;
  managementAgentUid: string;
  version: string;
}

export interface AgentJob extends JobBase {
  product: 'agent';
  agent: Agent;
  policyName: string;
  backupMode: 'EntireComputer' | 'Volume' | 'File';
}

/** A Microsoft 365 organization on one of the provider's servers. */
export interface Microsoft365Organization {
  id: number;
  uid: string;
  name: string;
  company: Company;
  server: Server;
  /** Jobs of some organizations do not carry the company; it is then in the mapping alone. */
  isMappedInJobs: boolean;
}

export interface Microsoft365Job extends JobBase {
  product: 'microsoft365';
  organization: Microsoft365Organization;
  type: 'BackupJob' | 'CopyJob';
  repositoryUid: string;
  repositoryName: string;
}

export interface CloudPolicy extends JobBase {
  product: 'cloud';
  cloud: 'Amazon' | 'Azure' | 'Google';
  applianceUid: string;
}

export type Job = ServerJob | AgentJob | Microsoft365Job | CloudPolicy;
