import type { CatalogJob, ListedRestorePoint, RepositoryCatalog } from '../catalog/catalog.ts';
import { countedSkew, SKEW_MAX_MS, skewText } from '../model/clock-skew.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Expiry, JobExpiry } from '../model/expiry.ts';
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
 * Refuses to prune while the clock of the store, which of a local folder is this machine's, may be as wrong as the newest backup found it by the
 * source's clock. It was set where the present does not follow from what it showed then.
 * @throws `wrong-clock`
 */
export async function refuseWrongClock(
  catalog: RepositoryCatalog,
  { description }: Repository,
  present: Date,
): Promise<void> {
  const newest = await newestPoint(catalog);
  const point = newest === null ? null : await catalog.restorePoint(newest.run.id);
  const skewMs = point?.findings.storeSkewMs ?? 0;
  if (point === null || skewMs === 0) return;
  const passedMs = present.getTime() - point.finishedAt.getTime() + SKEW_MAX_MS;
  const mayBeWrong = skewMs > 0 ? passedMs >= skewMs : passedMs < 0;
  if (!mayBeWrong) return;
  throw new EngineError(
    'wrong-clock',
    `The last backup found the clock of ${description} ${skewText(skewMs)} of the source's. What is pruned by a wrong clock is gone: set it, back up, and prune again.`,
  );
}

/**
 * The instants that are asked for: of each job that has a retention of its own, and of all others. Days are counted back from the newest restore
 * point, of a job from its own newest one, so that nothing goes only because time passes while nothing is backed up.
 * @throws `bad-request` for one that is still to come, and where neither all jobs nor any of them have a retention; for the
 *   name of a job that none, or more than one, has
 */
export async function askedExpiry(catalog: RepositoryCatalog, options: PruneOptions, present: Date): Promise<Expiry> {
  const known = await catalog.listJobs();
  const asked = askedDays(known, options.keepDaysOf ?? new Map());
  const jobs = known.flatMap((one): JobExpiry[] => {
    const days = asked.get(one) ?? one.keepDays;
    const { organizationId, job, newest } = one;
    return days === null ? [] : [{ organizationId, job, before: daysBefore(days, newest, present) }];
  });
  const before = await askedInstant(catalog, options, present);
  if (before === null && jobs.length === 0)
    throw new EngineError(
      'bad-request',
      'Say what to keep: for how many days, or from which instant on. No job has a retention of its own.',
      { remedy: 'choose-retention' },
    );
  return { before, jobs };
}

/**
 * The jobs that are named, with the days asked for.
 * @throws `bad-request` for a name that no job has: it would get the days of all others; and for one that several organizations have
 */
function askedDays(
  jobs: readonly CatalogJob[],
  keepDaysOf: ReadonlyMap<string, number>,
): ReadonlyMap<CatalogJob, number> {
  const asked = new Map<CatalogJob, number>();
  for (const [name, days] of keepDaysOf) {
    const named = jobs.filter((one) => one.job === name || fullName(one) === name);
    const [job] = named;
    if (job === undefined)
      throw new EngineError('bad-request', `No job '${name}' has restore points. ${jobsText(jobs)}`);
    if (named.length > 1)
      throw new EngineError('bad-request', `${named.length} organizations have a job '${name}'. ${jobsText(named)}`);
    asked.set(job, days);
  }
  return asked;
}

const fullName = ({ organizationId, job }: CatalogJob) => `${organizationId}/${job}`;

const JOBS_NAMED = 20;

function jobsText(jobs: readonly CatalogJob[]): string {
  if (jobs.length === 0) return 'There is none.';
  const names = jobs.slice(0, JOBS_NAMED).map(fullName).join(', ');
  const others = jobs.length > JOBS_NAMED ? `, and ${jobs.length - JOBS_NAMED} more` : '';
  return `Name one of: ${names}${others}; without the organization where the name is of one job alone.`;
}

/**
 * That of jobs without a retention of their own. It is never behind the newest restore point: what ended has ended by then, and a later instant would hold
 * for backups that are still to come.
 * @throws `bad-request` for one that is still to come
 */
export async function askedInstant(
  catalog: RepositoryCatalog,
  { before, keepDays, now = () => new Date() }: PruneOptions,
  present: Date,
): Promise<Date | null> {
  if (before === undefined && keepDays === undefined) return null;
  const newest = (await newestPoint(catalog))?.finishedAt;
  if (before === undefined) return newest === undefined ? NOTHING_ENDED : daysBefore(keepDays ?? 0, newest, present);
  const latestMs = present.getTime() + SKEW_MAX_MS;
  const asked = refuseFuture(before, new Date(Math.min(latestMs, now().getTime())));
  const last = newest === undefined ? NOTHING_ENDED : justAfter(newest);
  return asked < last ? asked : last;
}

/** Where nothing is backed up, nothing has ended. */
const NOTHING_ENDED = new Date(0);

async function newestPoint(catalog: RepositoryCatalog): Promise<ListedRestorePoint | null> {
  const [newest] = await catalog.listRestorePoints({ limit: 1, offset: 0 });
  return newest ?? null;
}

/** Behind the end of a run: what that run itself replaced is not in it any more. */
const justAfter = (finishedAt: Date) => new Date(finishedAt.getTime() + 1);

/** @param newest one that is still to come says nothing: its machine had a wrong clock */
function daysBefore(days: number, newest: Date, present: Date): Date {
  const end = justAfter(newest);
  const isToCome = end.getTime() >= present.getTime() + SKEW_MAX_MS;
  return new Date((isToCome ? present : end).getTime() - days * DAY_MS);
}

function refuseFuture(before: Date, present: Date): Date {
  if (before <= present) return before;
  throw new EngineError(
    'bad-request',
    `${before.toISOString()} is in the future: a prune up to then would remove the newest restore points too. Choose a time in the past.`,
  );
}
