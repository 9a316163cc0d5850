import { type CountingRun, lastRunThatCounted } from '../sync-runs.ts';
import { part, type RunningSync } from './running-sync.ts';
import { readComputers } from './sync-computers.ts';
import { readLicenceUsage } from './sync-licence-usage.ts';
import { readRepositories } from './sync-repositories.ts';

/** The inventory changes from day to day, and reading it takes a console of thousands of computers longer than all its jobs. */
const EVERY_MS = 3_600_000;

const PARTS = [
  { name: 'repositories', read: readRepositories },
  { name: 'computers', read: readComputers },
  { name: 'licence usage', read: readLicenceUsage },
] as const;
type Part = (typeof PARTS)[number];

/**
 * Reads the inventory: repositories, computers, licence usage, each only once an hour unless a user requested the sync. A listing
 * that fails is read again by the next sync. Single entities that fail wait for the next hour and stay on the list of failures
 * until then, as partial is never success.
 */
export async function syncInventory(sync: RunningSync): Promise<void> {
  for (const one of PARTS) {
    const last = await lastRunThatCounted(sync.services.database, sync.run, countsOf(one).read);
    if (last === null || isDue(sync, last)) await readPart(sync, one);
    else failAgain(sync, one, last);
  }
}

/** Names of the counts of a completely read part: that it was read, and which failures of the sync are its own. */
function countsOf({ name }: Part) {
  return { read: `${name} read`, failedFrom: `${name} failed from`, failed: `${name} failed` };
}

function isDue({ isRequested, run }: RunningSync, last: CountingRun): boolean {
  return isRequested || run.startedAt.getTime() - last.startedAt.getTime() >= EVERY_MS;
}

async function readPart(sync: RunningSync, one: Part): Promise<void> {
  const { report } = sync;
  const failedBefore = report.failedCount;
  const done = await part(sync, one.name, async () => {
    await one.read(sync);
    return true;
  });
  if (done === null) return;
  const counts = countsOf(one);
  report.count(counts.read);
  report.count(counts.failedFrom, failedBefore);
  report.count(counts.failed, report.failedCount - failedBefore);
}

/** Reports the failures of a part's last reading; beyond the listed ones, only their number. */
function failAgain({ report }: RunningSync, one: Part, last: CountingRun): void {
  const { failedFrom, failed } = countsOf(one);
  const from = last.counts[failedFrom] ?? 0;
  const count = last.counts[failed] ?? 0;
  const listed = last.failed.slice(from, from + count);
  for (const entity of listed) report.fail(entity);
  report.failedCount += count - listed.length;
}
