import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import type { LastingObject, Repository } from '../repository/repository.ts';

const DAY_MS = 86_400_000;
const LOOKS_AT_ONCE = 32;
const NAMES_A_QUESTION = 1_000;

/** How the objects that a repository is made of are locked against deletion. */
export interface LockReview {
  /** Objects in use that can be deleted now with the keys of the store. */
  unlocked: number;
  /** Objects in use whose locks were made longer. */
  extended: number;
}

export interface LockReviewOptions {
  /** Locks again what ends within half of the days for which objects are locked. */
  extend: boolean;
  signal?: AbortSignal;
}

/**
 * Looks at the locks of all that is in use: a restore point of today needs packs of years ago, whose locks end long before. What is
 * younger than half of the days was locked when it was written, and is not asked for.
 * @returns `null` for a store in which nothing is locked
 */
export async function reviewLocks(
  repository: Repository,
  catalog: RepositoryCatalog,
  { extend, signal }: LockReviewOptions,
): Promise<LockReview | null> {
  const { lockDays } = repository;
  if (lockDays === null) return null;
  const review: LockReview = { unlocked: 0, extended: 0 };
  const now = repository.present().getTime();
  const half = (lockDays * DAY_MS) / 2;
  const old = olderObjects(repository, catalog, new Date(now - half));
  await forEachAtOnce(old, LOOKS_AT_ONCE, async ({ name }) => {
    signal?.throwIfAborted();
    const until = (await repository.lockedUntil(name))?.getTime() ?? 0;
    if (extend && until < now + half) {
      await repository.extendLock(name);
      review.extended += 1;
    } else if (until <= now) review.unlocked += 1;
  });
  return review;
}

/** The same once a day, with what is to be locked again: for runs, of which there may be many a day. */
export async function extendLocksDaily(
  repository: Repository,
  catalog: RepositoryCatalog,
  signal: AbortSignal,
): Promise<void> {
  if (repository.lockDays === null) return;
  const now = repository.present();
  const last = await catalog.locksReviewedAt();
  if (last !== null && Math.abs(now.getTime() - last.getTime()) < DAY_MS) return;
  await reviewLocks(repository, catalog, { extend: true, signal });
  await catalog.setLocksReviewedAt(now);
}

/** Objects in use that were written before an instant. Not in use are packs that were retired or that no journal names, and journals that a segment has. */
async function* olderObjects(
  repository: Repository,
  catalog: RepositoryCatalog,
  before: Date,
): AsyncGenerator<LastingObject> {
  let asked: LastingObject[] = [];
  for await (const object of repository.listLasting()) {
    if (object.createdAt >= before) continue;
    if (object.pack === null && object.run === null) yield object;
    else asked.push(object);
    if (asked.length < NAMES_A_QUESTION) continue;
    yield* await inUse(catalog, asked);
    asked = [];
  }
  yield* await inUse(catalog, asked);
}

async function inUse(catalog: RepositoryCatalog, objects: readonly LastingObject[]): Promise<LastingObject[]> {
  const packs = await catalog.knownPacks(objects.flatMap(({ pack }) => pack ?? []));
  const segmented = await catalog.segmentsOf([...new Set(objects.flatMap(({ run }) => run ?? []))]);
  return objects.filter(({ pack, run }) =>
    pack === null ? run === null || !segmented.has(run) : packs.get(pack)?.isRetired === false,
  );
}
