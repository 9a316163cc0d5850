import type { DataSourceGroup, SourceJob } from '@keepwatch/connectors/ports/backup-source';
import { companyIdsOf } from '../../connections/company-links.ts';
import { type Connection, transaction } from '../../foundation/database.ts';
import { executionsLock, lockExecutions } from '../../schedules/job-state.ts';
import { part, type RunningSync } from './running-sync.ts';
import { listStoredJobs, removeVanishedJobs } from './stored-jobs.ts';
import { upsertJobs } from './upsert-jobs.ts';

const BATCH_MAX = 1_000;

interface Listing {
  jobs: SourceJob[];
  /** Ids of jobs that exist but cannot be read. */
  unreadable: string[];
  /** Whether the listing of the group is complete, so that a missing job has been removed. */
  isWhole: boolean;
}

/**
 * Stores the jobs of a group and returns them to match the history with. Jobs that cannot be read now, or all of them when the
 * listing fails, are returned as stored. Otherwise their runs would match no job, or another one of the same name.
 */
export async function readJobs(sync: RunningSync, group: DataSourceGroup): Promise<SourceJob[]> {
  const { services, source, run } = sync;
  const listing: Listing = { jobs: [], unreadable: [], isWhole: false };
  await part(sync, group, () => listGroup(sync, group, listing));
  await part(sync, group, () => upsertAll(sync, listing.jobs));
  if (listing.isWhole) {
    const present = [...listing.jobs.map((job) => job.externalId), ...listing.unreadable];
    const remove = (connection: Connection) => removeVanishedJobs(connection, source, group, present, run.startedAt);
    await part(sync, group, () => transaction(services.database, remove, executionsLock(source.providerId)));
  }
  if (listing.isWhole && listing.unreadable.length === 0) return listing.jobs;
  const stored = await part(sync, group, () => listStoredJobs(services.database, source, group));
  const listed = new Set(listing.jobs.map((job) => job.externalId));
  return [...listing.jobs, ...(stored ?? []).filter((job) => !listed.has(job.externalId))];
}

async function listGroup(
  { backup, report, signal }: RunningSync,
  group: DataSourceGroup,
  listing: Listing,
): Promise<void> {
  let isEachNamed = true;
  for await (const read of backup.listJobs(group, signal)) {
    signal.throwIfAborted();
    if ('value' in read) listing.jobs.push(read.value);
    else {
      report.fail(read.failed);
      if (read.failed.externalId === null) isEachNamed = false;
      else listing.unreadable.push(read.failed.externalId);
    }
  }
  listing.isWhole = isEachNamed;
}

async function upsertAll({ services, source, report, run }: RunningSync, jobs: readonly SourceJob[]): Promise<void> {
  const companyIds = await companyIdsOf(services.database, source);
  for (let at = 0; at < jobs.length; at += BATCH_MAX) {
    const batch = jobs.slice(at, at + BATCH_MAX);
    await transaction(services.database, async (connection) => {
      await lockExecutions(connection, source.providerId);
      await upsertJobs(connection, source, batch, companyIds, run.startedAt);
    });
    report.count('jobs', batch.length);
  }
}
