import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { countedSkew, SKEW_MAX_MS, skewText } from '../model/clock-skew.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Expiry } from '../model/expiry.ts';
import type { LockWait, Repository } from '../repository/repository.ts';
import type { PruneOptions } from './prune-plan.ts';

const DAY_MS = 86_400_000;

/**
 * The present by the clock of the store.
 * @throws `wrong-clock` where that of this machine is another
 */
export async function storeTime(repository: Repository, wait: LockWait): Promise<Date> {
  const lock = await repository.lock('shared', wait);
  await lock.release();
  const skewMs = countedSkew(lock.skewMs);
  if (skewMs === 0) return lock.storeTime;
  throw new EngineError(
    'wrong-clock',
    `The clock of this machine is ${skewText(skewMs)} of that of ${repository.description}. What is pruned by a wrong clock is gone: set it, and prune again.`,
  );
}

/**
 * The instants that are asked for: of each job that has a retention of its own, and of all others. Days are counted back from the newest restore
 * point, of a job from its own newest one, so that nothing goes only because time passes while nothing is backed up.
 * @throws `bad-request` for one that is still to come, and where neither all jobs nor any of them have a retention
 */
export async function askedExpiry(catalog: RepositoryCatalog, options: PruneOptions, present: Date): Promise<Expiry> {
  const { keepDaysOf = new Map<string, number>() } = options;
  const jobs = new Map<string, Date>();
  for (const { job, keepDays, newest } of await catalog.listJobs()) {
    const days = keepDaysOf.get(job) ?? keepDays;
    if (days !== null) jobs.set(job, daysBefore(days, newest, present));
  }
  const before = await askedInstant(catalog, options, present);
  if (before === null && jobs.size === 0)
    throw new EngineError(
      'bad-request',
      'Say what to keep: --keep-days <days>, or --before <day or instant>. No job has a retention of its own.',
    );
  return { before, jobs };
}

async function askedInstant(
  catalog: RepositoryCatalog,
  { before, keepDays, now = () => new Date() }: PruneOptions,
  present: Date,
): Promise<Date | null> {
  const latestMs = present.getTime() + SKEW_MAX_MS;
  if (before !== undefined) return refuseFuture(before, new Date(Math.min(latestMs, now().getTime())));
  if (keepDays === undefined) return null;
  const [newest] = await catalog.listRestorePoints({ limit: 1, offset: 0 });
  return daysBefore(keepDays, newest?.finishedAt, present);
}

/** @param newest one that is still to come says nothing: its machine had a wrong clock */
function daysBefore(days: number, newest: Date | undefined, present: Date): Date {
  const latestMs = present.getTime() + SKEW_MAX_MS;
  // Behind its end: what that run itself replaced is not in it any more.
  const endMs = newest === undefined ? latestMs : newest.getTime() + 1;
  return new Date((endMs < latestMs ? endMs : present.getTime()) - days * DAY_MS);
}

function refuseFuture(before: Date, present: Date): Date {
  if (before <= present) return before;
  throw new EngineError(
    'bad-request',
    `${before.toISOString()} is in the future: a prune up to then would remove the newest restore points too. Choose a time in the past.`,
  );
}
