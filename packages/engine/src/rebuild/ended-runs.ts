import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { EndedRun, RunClaims } from '../repository/repository.ts';

/** Longer than any run goes without following the journals. */
const ENDED_MS = 2 * 3_600_000;

/**
 * Deletes what says how runs ended, where a loss of their last commits would be seen without it: another commit names those. And where commits
 * were lost, since this run has read the objects again; of those that it did not read it stays.
 */
export async function forgetEnded(
  claims: RunClaims,
  catalog: RepositoryCatalog,
  lost: ReadonlyMap<EndedRun, ReadonlyMap<string, number>>,
  read: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [ended, revisions] of lost) {
    const left = [...revisions].filter(([key]) => !read.has(key));
    if (left.length < revisions.size || left.length === 0) await claims.forget(ended, left);
  }
  const { ended } = await claims.look();
  // By the store's clock: the youngest of them is at most as old as this run, which has just written its own.
  const now = Math.max(0, ...ended.map(({ createdAt }) => createdAt.getTime()));
  const old = ended.filter(({ createdAt }) => createdAt.getTime() < now - ENDED_MS);
  if (old.length === 0) return;
  const known = await catalog.lastCommits(old.map(({ run }) => run));
  const isNamed = await namedRuns(catalog);
  for (const one of old) if ((known.get(one.run) ?? 0) >= one.sequence && isNamed(one.run)) await claims.forget(one);
}

/** Whether a run's last commit is named by another's; of runs older than all that the catalog says it is not known. */
async function namedRuns(catalog: RepositoryCatalog): Promise<(run: string) => boolean> {
  const unnamed = await catalog.unfollowed();
  const runs = new Set(unnamed.map(([run]) => run));
  const oldest = unnamed.length < 1_000 ? '' : (unnamed.at(-1)?.[0] ?? '');
  return (run) => run > oldest && !runs.has(run);
}
