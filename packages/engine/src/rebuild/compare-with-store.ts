import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ListedRun, Repository } from '../repository/repository.ts';

const ADVICE =
  'This may be an older copy of the repository, or a copy beside it. Open the one that the catalog was made of, or bring the missing journals back. If they are lost, a rebuild that accepts the loss makes a catalog of what is there.';

/**
 * Compares the journals that the store lists with those that the catalog knows, in one pass over both.
 *
 * The catalog says which chunks are stored and where reading goes on. Beside a store that has less than it knows, new data would be left
 * out as stored already, and changes would never be read.
 *
 * @returns the runs of which the catalog knows nothing
 * @throws `damaged` when the catalog knows commits that the store does not have, or another generation of the repository
 */
export async function compareWithStore(repository: Repository, catalog: RepositoryCatalog): Promise<ListedRun[]> {
  await compareGenerations(repository, catalog);
  const unknown: ListedRun[] = [];
  let after = '';
  for await (const page of inPages(repository.listRuns())) {
    const last = page.at(-1)?.run ?? after;
    unknown.push(...(await comparePage(repository, page, await catalog.commitsBetween(after, last))));
    after = last;
  }
  await comparePage(repository, [], await catalog.commitsBetween(after, null));
  return unknown;
}

/** A rebuild that accepted a loss began a new generation: journals may have gone on since in places that this catalog knows filled. */
async function compareGenerations(repository: Repository, catalog: RepositoryCatalog): Promise<void> {
  const [stored, known] = [await repository.generation(), await catalog.generation()];
  if (stored === known) return;
  if ((await catalog.commitsBetween('', null, 1)).size > 0)
    throw new EngineError(
      'damaged',
      `The journals in ${repository.description} are of another generation than the catalog: commits were lost, and a rebuild of another catalog accepted that. Rebuild the catalog, and accept the loss if journals are named of which there is no copy.`,
      { remedy: 'accept-loss' },
    );
  await catalog.setGeneration(stored);
}

/** @returns the runs among those listed that the catalog does not know */
async function comparePage(
  repository: Repository,
  listed: readonly ListedRun[],
  known: ReadonlyMap<string, number>,
): Promise<ListedRun[]> {
  const stored = new Map(listed.map(({ run, commits }) => [run, commits]));
  for (const [run, commits] of known)
    if (commits > (stored.get(run) ?? 0)) await findCommit(repository, run, commits, stored.get(run) ?? 0);
  return listed.filter(({ run }) => !known.has(run));
}

/** A list may be late, and the catalog ahead of it: the store is asked for the commit itself. */
async function findCommit(repository: Repository, run: string, commits: number, found: number): Promise<void> {
  if (await repository.hasCommit(run, commits)) return;
  throw new EngineError(
    'damaged',
    `The catalog knows ${commits} commits of run ${run}, and ${repository.description} has ${found} of them. ${ADVICE}`,
    { remedy: 'accept-loss' },
  );
}

const RUNS_A_PAGE = 1_000;

async function* inPages(runs: AsyncIterable<ListedRun>): AsyncGenerator<ListedRun[]> {
  let page: ListedRun[] = [];
  for await (const run of runs) {
    page.push(run);
    if (page.length < RUNS_A_PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
