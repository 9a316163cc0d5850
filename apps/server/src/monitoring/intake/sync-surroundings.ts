import { part, type RunningSync } from './running-sync.ts';
import { readComputers } from './sync-computers.ts';
import { readLicenceUsage } from './sync-licence-usage.ts';
import { readRepositories } from './sync-repositories.ts';
import { type CountingRun, lastRunThatCounted } from './sync-runs.ts';

/** They change by the day, and reading them takes a console of thousands of computers longer than all of its jobs. */
const EVERY_MS = 3_600_000;

const PARTS = [
  { name: 'repositories', read: readRepositories },
  { name: 'computers', read: readComputers },
  { name: 'licence usage', read: readLicenceUsage },
] as const;
type Part = (typeof PARTS)[number];

/**
 * Reads what stands beside the jobs: repositories, computers, licence usage. Each only once an hour, unless a person has asked
 * for the sync. One that could not be read to its end is read again by the next sync. Single ones of it that could not be
 * read wait for the hour with the rest, and stay on the list until then: partial is never success.
 */
export async function readSurroundings(sync: RunningSync): Promise<void> {
  for (const one of PARTS) {
    const last = await lastRunThatCounted(sync.services.database, sync.run, countsOf(one).read);
    if (last === null || isDue(sync, last)) await readPart(sync, one);
    else failAgain(sync, one, last);
  }
}

/** What a sync counts that has read a part to its end: that it did, and which of its failures are the part's. */
function countsOf({ name }: Part) {
  return { read: `${name} read`, failedFrom: `${name} failed from`, failed: `${name} failed` };
}

function isDue({ source, run }: RunningSync, last: CountingRun): boolean {
  return source.wantedSync !== null || run.startedAt.getTime() - last.startedAt.getTime() >= EVERY_MS;
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

/** Tells what could not be read of a part when it was read last; beyond what is listed, only how many. */
function failAgain({ report }: RunningSync, one: Part, last: CountingRun): void {
  const { failedFrom, failed } = countsOf(one);
  const from = last.counts[failedFrom] ?? 0;
  const count = last.counts[failed] ?? 0;
  const listed = last.failed.slice(from, from + count);
  for (const entity of listed) report.fail(entity);
  report.failedCount += count - listed.length;
}
