import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';

/**
 * Brings the catalog up to what the repository's journals say: after a crash between the two, or when another catalog was used
 * meanwhile. Costs in proportion to what the catalog does not know.
 *
 * @returns how many commits were applied
 */
export async function catchUp(repository: Repository, catalog: RepositoryCatalog): Promise<number> {
  const open = await catalog.openRuns();
  let applied = 0;
  for (const [run, sequence] of [...open].sort()) applied += await applyFrom(repository, catalog, run, sequence);
  for await (const runs of inPages(repository.listRuns())) {
    for (const run of await catalog.unknownRuns(runs)) applied += await applyFrom(repository, catalog, run, 0);
  }
  return applied;
}

const RUNS_A_PAGE = 1_000;

async function* inPages(runs: AsyncIterable<{ run: string }>): AsyncGenerator<string[]> {
  let page: string[] = [];
  for await (const { run } of runs) {
    page.push(run);
    if (page.length < RUNS_A_PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Applies what stands behind a commit of a run. */
async function applyFrom(
  repository: Repository,
  catalog: RepositoryCatalog,
  run: string,
  after: number,
): Promise<number> {
  let sequence = after;
  for (let commit = await repository.findCommit(run, sequence + 1); commit !== null; ) {
    await catalog.apply(commit);
    sequence += 1;
    commit = await repository.findCommit(run, sequence + 1);
  }
  return sequence - after;
}
