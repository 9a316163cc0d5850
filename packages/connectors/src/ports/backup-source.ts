import type { Testable } from '../base/manifest.ts';
import type { ConsoleAccounts } from './console-accounts.ts';

/**
 * `BackupSource`: a console that knows the backup jobs of many companies.
 *
 * The contract, for every implementation:
 * - A method that lists yields every entity once, in any order, as the vendor's pages arrive; nothing is held whole in memory.
 * - An entity that cannot be read is yielded as `failed` and the listing goes on; only what ends the whole listing
 *   (credentials, no connection, a page that repeats) is thrown, always as a `ConnectorError`.
 * - Calling it twice yields the same ids. Ids are the vendor's, unchanged.
 * - Instants are UTC `Date`s; durations milliseconds; sizes bytes; what the vendor does not say is `null`, never 0 or "".
 * - `signal` ends every wait at once; the method then throws the signal's reason.
 */
export interface BackupSource extends Testable {
  listCompanies(signal: AbortSignal): AsyncIterable<Read<SourceCompany>>;
  /** All jobs of one group, each with its last run as the vendor shows it now. */
  listJobs(group: DataSourceGroup, signal: AbortSignal): AsyncIterable<Read<SourceJob>>;
  /**
   * Runs that began or ended in `range`. Vendors without a history call by job make them from what they have and say how
   * sure the match to a job is. `jobs` are those that `listJobs` yielded in the same sync.
   */
  listExecutions(
    range: { from: Date; to: Date },
    jobs: readonly SourceJob[],
    signal: AbortSignal,
  ): AsyncIterable<Read<SourceExecution>>;
  listRepositories(signal: AbortSignal): AsyncIterable<Read<SourceRepository>>;
  listComputers(signal: AbortSignal): AsyncIterable<Read<SourceComputer>>;
  listLicenceUsage(signal: AbortSignal): AsyncIterable<Read<SourceLicenceUsage>>;
  /** Where people have accounts in it. */
  accounts?: ConsoleAccounts;
}

/** One entity of a listing, or the one that could not be read and why. */
export type Read<T> = { value: T } | { failed: FailedEntity };

export interface FailedEntity {
  /** What kind of thing: `company`, `job`, `execution`, `repository`, `computer`, `licence usage`, or what those refer to (`backup server`, …). */
  entity: string;
  /** The vendor's id where it could be read. */
  externalId: string | null;
  reason: string;
}

export const DATA_SOURCE_GROUPS = [
  'managed-servers',
  'monitored-agents',
  'managed-agents',
  'office365',
  'public-cloud-vms',
  'file-share-jobs',
] as const;
export type DataSourceGroup = (typeof DATA_SOURCE_GROUPS)[number];

export type ScheduleType = 'Daily' | 'Monthly' | 'Continuously' | 'Periodically' | 'Chained' | 'Disabled';
export type SourceResult = 'Success' | 'Warning' | 'Failed' | 'Running';

export interface SourceCompany {
  externalId: string;
  name: string;
  isActive: boolean;
  email: string | null;
  phone: string | null;
}

export interface SourceJob {
  externalId: string;
  group: DataSourceGroup;
  name: string;
  companyExternalId: string | null;
  /** The vendor's own word for the kind of job, shown as it is. */
  jobType: string | null;
  isEnabled: boolean;
  scheduleType: ScheduleType | null;
  /** Time between two planned runs, where the schedule says it: a daily job 24 h. */
  intervalMs: number | null;
  nextRunAt: Date | null;
  /** Backup server, agent or proxy that runs it. */
  serverName: string | null;
  /** Where the backup goes. */
  targetName: string | null;
  /** Size of the whole chain on the target. */
  backupSizeBytes: number | null;
  restorePointCount: number | null;
  lastRun: SourceRun | null;
}

export interface SourceRun {
  /** Where a job's `lastRun` shows only its end, that end. An execution's start is always the true one. */
  startedAt: Date;
  /** `null` while running, and where the vendor shows no end: then `result` says whether it still runs. */
  endedAt: Date | null;
  result: SourceResult;
  durationMs: number | null;
  transferredBytes: number | null;
  processedBytes: number | null;
  processedFiles: number | null;
  /** The vendor's message as it is; plain text, never trusted as markup. */
  message: string | null;
  log: readonly SourceLogLine[];
}

export interface SourceLogLine {
  at: Date | null;
  level: 'info' | 'warning' | 'error';
  text: string;
}

export interface SourceExecution extends SourceRun {
  /**
   * The vendor's session id; where it has none, made from the job's id and the start. Within one call a run is yielded once;
   * but a run that was a `last-run` in one sync can be a `history` session with another id in a later one. They are the same
   * run when job (or, unmatched, name and company) are the same and the starts are at most 60 s apart.
   */
  externalId: string;
  jobName: string;
  companyExternalId: string | null;
  /** `null` when several jobs or none fit (see jobs-of-name.ts): it is never put on a job by guess. */
  jobExternalId: string | null;
  /** `exact`: the vendor says so, or one job alone has that name in that organization. `doubtful`: the names differ in case or spaces, or the kinds of job disagree. */
  match: 'exact' | 'doubtful' | 'none';
  origin: 'last-run' | 'history';
}

export interface SourceRepository {
  externalId: string;
  name: string;
  companyExternalId: string | null;
  kind: string | null;
  serverName: string | null;
  path: string | null;
  status: string | null;
  capacityBytes: number | null;
  freeBytes: number | null;
  usedBytes: number | null;
}

export interface SourceComputer {
  externalId: string;
  companyExternalId: string | null;
  hostName: string;
  fqdn: string | null;
  operatingSystem: string | null;
  platform: string | null;
  ipAddresses: readonly string[];
  status: string | null;
  agentInstallationStatus: string | null;
  agentManagementStatus: string | null;
  lastSeenAt: Date | null;
}

export interface SourceLicenceUsage {
  companyExternalId: string;
  serverExternalId: string | null;
  workload: string;
  unitType: string | null;
  usedCount: number | null;
  usedUnits: number | null;
  newUnits: number | null;
  rentalUnits: number | null;
}
