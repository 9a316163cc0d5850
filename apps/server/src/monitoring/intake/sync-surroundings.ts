import { part, type RunningSync } from './running-sync.ts';
import { readComputers } from './sync-computers.ts';
import { readLicenceUsage } from './sync-licence-usage.ts';
import { readRepositories } from './sync-repositories.ts';
import { lastRunThatCounted } from './sync-runs.ts';

/** They change by the day, and reading them takes a console of thousands of computers longer than all of its jobs. */
const EVERY_MS = 3_600_000;
/** What a sync counts that has read all of them to their end. */
const READ = 'surroundingsRead';

/**
 * Reads what stands beside the jobs: repositories, computers, licence usage. Only once an hour, unless a person has asked for
 * the sync. Where anything of them could not be read, the next sync tries again: until then none of them tells of a success.
 */
export async function readSurroundings(sync: RunningSync): Promise<void> {
  if (!sync.isByHand && !(await isDue(sync))) return;
  const failedBefore = sync.report.failedCount;
  await part(sync, 'repositories', () => readRepositories(sync));
  await part(sync, 'computers', () => readComputers(sync));
  await part(sync, 'licence usage', () => readLicenceUsage(sync));
  if (sync.report.failedCount === failedBefore) sync.report.count(READ);
}

async function isDue({ services, run }: RunningSync): Promise<boolean> {
  const last = await lastRunThatCounted(services.database, run, READ);
  return last === null || run.startedAt.getTime() - last.getTime() >= EVERY_MS;
}
