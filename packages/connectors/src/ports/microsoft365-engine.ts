import type { Testable } from '../base/manifest.ts';

/**
 * `Microsoft365Engine`: what backs up and restores one organization of Microsoft 365. The built-in engine of this portal and a Veeam Backup for
 * Microsoft 365 server are such engines: the same calls and screens work with both.
 *
 * The contract, for every implementation:
 * - Ids are the engine's, unchanged, and stable; one that does not exist, or is of another organization, is a `Missing`.
 * - Lists come in pages, in a stable order. `next` is `true` where more follows: not every engine counts.
 * - Instants are UTC `Date`s, sizes bytes, and what an engine does not know is `null`, never 0 or "".
 * - What cannot be done now, and why, is a `Refused` whose message is for a person; everything else that fails is thrown as a `ConnectorError`.
 * - `signal` ends every wait at once; the method then throws the signal's reason.
 * - A change has two halves: the method asks the engine for it, and what it returns stores it. Both can throw `Missing` and `Refused`.
 *
 * @typeParam Transaction of the tables that an engine's changes are stored in
 */
export interface Microsoft365Engine<Transaction> extends Testable {
  /** Whether it is another system, so that it may keep its callers waiting. What it answers of itself, and not of the tenant or of a place, is meant. */
  readonly isElsewhere: boolean;

  /** Users, groups, teams and sites of the organization, to choose from. @throws `Missing` where the site is not there whose sites are asked for */
  listObjects(query: ObjectQuery, signal: AbortSignal): Promise<ObjectPage>;

  listRepositories(signal: AbortSignal): Promise<readonly EngineRepository[]>;
  /** Whether something was backed up into it; `true` where that cannot be said. */
  hasBackups(repositoryId: string, signal: AbortSignal): Promise<boolean>;
  /** Tries to write, read, list and delete in the place before anything is stored, which may take a minute. @returns what gives its id @throws `Refused` */
  createRepository(given: NewRepository, signal: AbortSignal): Promise<Storing<Transaction, string>>;
  changeRepository(id: string, changes: RepositoryChanges, signal: AbortSignal): Promise<Storing<Transaction>>;
  /** @throws `Refused` while a job uses it */
  removeRepository(id: string, signal: AbortSignal): Promise<Storing<Transaction>>;

  listProxies(signal: AbortSignal): Promise<readonly EngineProxy[]>;
  listProxyPools(signal: AbortSignal): Promise<readonly EngineProxyPool[]>;

  listJobs(signal: AbortSignal): Promise<readonly EngineJob[]>;
  job(id: string, signal: AbortSignal): Promise<EngineJob>;
  /** @param runNow it runs at once, too @returns what gives its id */
  createJob(given: NewJob, runNow: boolean, signal: AbortSignal): Promise<Storing<Transaction, string>>;
  /** @param runNow it runs at once, too, unless it does already */
  changeJob(id: string, given: NewJob, runNow: boolean, signal: AbortSignal): Promise<Storing<Transaction>>;
  /** @throws `Refused` while it runs */
  removeJob(id: string, signal: AbortSignal): Promise<Storing<Transaction>>;
  /** Asks for a run now. @returns what gives the id of the run @throws `Refused` while one goes on */
  startJob(id: string, signal: AbortSignal): Promise<Storing<Transaction, string>>;
  /** Asks the run to end: what it has read so far stays. @throws `Refused` where none goes on */
  stopJob(id: string, signal: AbortSignal): Promise<Storing<Transaction>>;
  switchJob(id: string, isEnabled: boolean, signal: AbortSignal): Promise<Storing<Transaction>>;

  /** Runs of a job, newest first. */
  listSessions(jobId: string, page: PageRange, signal: AbortSignal): Promise<Page<JobSession>>;
  listSessionLog(sessionId: string, page: PageRange, signal: AbortSignal): Promise<Page<SessionLogLine>>;
}

/**
 * Stores a change that was asked for in the portal's tables, in the transaction of its audit entry. That transaction never waits for another system: the
 * built-in engine does all of a change in it, an engine that is a server has done it by then and stores its copy.
 */
export type Storing<Transaction, T = void> = (transaction: Transaction) => Promise<T>;

/** What was asked for is not there. */
export class Missing extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`There is no such ${what}.`);
    this.name = 'Missing';
    this.what = what;
  }
}

/** Why something cannot be done now, for programs. */
export type RefusedCode =
  | 'JOB_NOT_RUNNING'
  | 'JOB_RUNNING'
  | 'NOT_IMMUTABLE'
  | 'PLACE_IN_USE'
  | 'PLACE_REFUSED'
  | 'REPOSITORY_IN_USE';

/** It cannot be done now: the message says why and what to do next. `field` names what was given wrong, where it is that. */
export class Refused extends Error {
  readonly code: RefusedCode;
  readonly field: string | null;

  constructor(code: RefusedCode, message: string, field: string | null = null) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.field = field;
  }
}

export interface PageRange {
  limit: number;
  offset: number;
}

export interface Page<T> {
  rows: readonly T[];
  next: boolean;
}

export const DIRECTORY_KINDS = ['user', 'group', 'team', 'site'] as const;
export type DirectoryKind = (typeof DIRECTORY_KINDS)[number];

export interface ObjectQuery extends PageRange {
  kind: DirectoryKind;
  /** A part of its name or address; all without. */
  search: string;
  /** Of sites: those below this one, `null` for those at the top. */
  parentId: string | null;
  /** Of sites: whether those of persons are among them. */
  withPersonalSites: boolean;
}

/** More follows unless `isWhole`, and then up to `count`. */
export interface ObjectPage {
  rows: readonly DirectoryObject[];
  /** Of all where `isWhole`, else of those that were read so far: not every list is counted. */
  count: number;
  isWhole: boolean;
}

/** A user, group, team or site that can be chosen. */
export interface DirectoryObject {
  id: string;
  kind: DirectoryKind;
  name: string;
  /** Address of a user or group, URL of a site. */
  address: string | null;
  /** Of a site: whether it is a person's own, and whether there are sites below it. */
  isPersonal: boolean;
  hasChildren: boolean;
}

/** Years that an item is stored after it stopped being current; `null` keeps it for ever. */
export const RETENTION_YEARS = [1, 2, 3, 5, 7, 10, 25] as const;
export type RetentionYears = (typeof RETENTION_YEARS)[number] | null;

export type RepositoryPlace =
  | { kind: 'folder'; path: string }
  | {
      kind: 's3';
      endpoint: string | null;
      region: string;
      bucket: string;
      prefix: string;
      accessKeyId: string;
      secretAccessKey: string;
    };

export interface NewRepository {
  name: string;
  place: RepositoryPlace;
  password: string;
  passwordDescription: string;
  retentionYears: RetentionYears;
  /** Days for which a store locks what is written; 0 for none. */
  immutableDays: number;
}

export interface RepositoryChanges {
  name?: string | undefined;
  passwordDescription?: string | undefined;
  retentionYears?: RetentionYears | undefined;
}

export interface EngineRepository {
  id: string;
  name: string;
  /** `folder /backups/contoso`, `s3 bucket/prefix`: for people. */
  place: string;
  kind: 'folder' | 's3' | null;
  retentionYears: RetentionYears;
  immutableDays: number;
  passwordDescription: string | null;
  usedBytes: number | null;
  capacityBytes: number | null;
  freeBytes: number | null;
}

/** A machine that reads and writes: with the built-in engine a worker process. */
export interface EngineProxy {
  id: string;
  name: string;
  poolId: string | null;
  version: string | null;
  isOnline: boolean;
  seenAt: Date | null;
  /** Runs it works on, and how many it can. */
  running: number | null;
  capacity: number | null;
}

export interface EngineProxyPool {
  id: string;
  name: string;
  proxyIds: readonly string[];
}

export const SELECTED_TYPES = ['User', 'Group', 'Team', 'Site', 'PersonalSites', 'PartialOrganization'] as const;

/** What a job covers, or leaves out, of one object of the organization. */
export interface SelectedItem {
  type: (typeof SELECTED_TYPES)[number];
  /** Of the object; `null` for all personal sites, or all of the organization. */
  id: string | null;
  name: string;
  mailbox: boolean;
  archiveMailbox: boolean;
  oneDrive: boolean;
  sites: boolean;
  personalSite: boolean;
  teams: boolean;
}

export const SCHEDULE_TYPES = ['Daily', 'Monthly', 'Continuously', 'Periodically', 'Chained', 'Disabled'] as const;
export const DAILY_TYPES = [
  'Everyday',
  'Workdays',
  'Weekends',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** When a job runs, in a time zone of its own: 22:00 is 22:00 on both sides of a change of clocks. */
export interface JobSchedule {
  type: (typeof SCHEDULE_TYPES)[number];
  dailyType: (typeof DAILY_TYPES)[number];
  /** `HH:MM`, of days and months. */
  time: string;
  /** Of months: 1 to 31, and the last day of shorter months. */
  dayOfMonth: number;
  /** Of `Periodically`. */
  everyMinutes: number;
  /** Of `Chained`: after this job. */
  afterJobId: string | null;
  timeZone: string;
  /** Attempts after a run that failed, and the minutes before each. */
  retries: number;
  retryMinutes: number;
  /** Hours of the week, Monday 0:00 first, in which it may run: 168 of them. `null`: all. */
  window: readonly boolean[] | null;
}

export interface NewJob {
  name: string;
  description: string;
  backupType: 'EntireOrganization' | 'SelectedItems';
  selected: readonly SelectedItem[];
  excluded: readonly SelectedItem[];
  withChats: boolean;
  repositoryId: string;
  proxyPoolId: string | null;
  isEnabled: boolean;
  schedule: JobSchedule;
}

export interface EngineJob extends NewJob {
  id: string;
  nextRunAt: Date | null;
  lastSession: JobSession | null;
  restorePoints: number | null;
}

export type SessionResult = 'Running' | 'Success' | 'Warning' | 'Failed';

export interface JobSession {
  id: string;
  jobId: string;
  startedAt: Date;
  endedAt: Date | null;
  result: SessionResult;
  /** It was asked to end, by a person or by the end of its window. */
  isStopped: boolean;
  message: string | null;
  objectsDone: number;
  objectsTotal: number | null;
  itemsRead: number;
  itemsLost: number;
  itemsSkipped: number;
  itemsRemoved: number;
  bytesRead: number;
  bytesStored: number;
  bytesPerSecond: number | null;
  expectedEndAt: Date | null;
  /** Which machine does it, or did it last. */
  proxyName: string | null;
}

export interface SessionLogLine {
  at: Date;
  level: 'info' | 'warning' | 'error';
  /** The mailbox, drive, site or team that it is about. */
  objectName: string | null;
  text: string;
}
