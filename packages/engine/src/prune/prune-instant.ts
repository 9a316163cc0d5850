import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { countedSkew, SKEW_MAX_MS, skewText } from '../model/clock-skew.ts';
import { EngineError } from '../model/engine-error.ts';
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
 * The instant that is asked for; days are counted back from the newest restore point, so that nothing goes only because time passes while
 * nothing is backed up.
 * @throws `bad-request` for one that is still to come
 */
export async function askedInstant(
  catalog: RepositoryCatalog,
  { before, keepDays, now = () => new Date() }: PruneOptions,
  present: Date,
): Promise<Date> {
  const latestMs = present.getTime() + SKEW_MAX_MS;
  if (before !== undefined) return refuseFuture(before, new Date(Math.min(latestMs, now().getTime())));
  if (keepDays === undefined) throw new EngineError('bad-request', 'Say what to keep: days, or an instant.');
  const [newest] = await catalog.listRestorePoints({ limit: 1, offset: 0 });
  // Behind its end: what that run itself replaced is not in it any more.
  const endMs = newest === undefined ? latestMs : newest.finishedAt.getTime() + 1;
  return new Date((endMs < latestMs ? endMs : present.getTime()) - keepDays * DAY_MS);
}

function refuseFuture(before: Date, present: Date): Date {
  if (before <= present) return before;
  throw new EngineError(
    'bad-request',
    `${before.toISOString()} is still to come. What is removed before it stays so until then: no backup could keep what the one before it had. Name an instant that has passed.`,
  );
}
