import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { ListedRun, ListedSegment, Repository } from '../repository/repository.ts';

const ADVICE =
  'This may be an older copy of the repository, or a copy beside it. Open the one that the catalog was made of, or bring the missing journals back. If they are lost, a rebuild that accepts the loss makes a catalog of what is there.';

/** What the store has and the catalog does not know. */
export interface UnknownRuns {
  /** Runs whose commits are objects of their own. */
  runs: ListedRun[];
  /** Segments that the catalog has not noted, with their runs; it may know these all the same. */
  segments: Map<ListedSegment, readonly ListedRun[]>;
}

/**
 * Compares the journals that the store lists with those that the catalog knows, in one pass over both. Runs in segments that the catalog
 * has noted are there if their segments are.
 *
 * The catalog says which chunks are stored and where reading goes on. Beside a store that has less than it knows, new data would be left
 * out as stored already, and changes would never be read.
 *
 * @throws `damaged` when the catalog knows commits that the store does not have, or another generation of the repository
 */
export async function compareWithStore(repository: Repository, catalog: RepositoryCatalog): Promise<UnknownRuns> {
  await compareGenerations(repository, catalog);
  const segments = await compareSegments(repository, catalog);
  const segmented = new Map<string, number>();
  for (const { run, commits } of [...segments.values()].flat()) segmented.set(run, commits);
  const runs: ListedRun[] = [];
  let after = '';
  for await (const page of inPages(repository.listRuns())) {
    const last = page.at(-1)?.run ?? after;
    const unknown = await comparePage(repository, page, segmented, await catalog.looseBetween(after, last));
    const known = await catalog.lastCommits(unknown.map(({ run }) => run));
    runs.push(...unknown.filter(({ run }) => !known.has(run) && !segmented.has(run)));
    after = last;
  }
  await comparePage(repository, [], segmented, await catalog.looseBetween(after, null));
  return { runs, segments };
}

/** Notes what the catalog has applied of them in the meantime. */
export async function noteSegments(
  catalog: RepositoryCatalog,
  segments: Iterable<readonly [ListedSegment, readonly ListedRun[]]>,
): Promise<void> {
  for (const [{ name }, runs] of segments)
    await catalog.addSegment(name, new Map(runs.map(({ run, commits }) => [run, commits])));
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

/** Of segments that are gone the runs are looked for as if they had never been in one. @returns those that the catalog has not noted */
async function compareSegments(repository: Repository, catalog: RepositoryCatalog): Promise<UnknownRuns['segments']> {
  const [listed, known] = [await repository.listSegments(), await catalog.segments()];
  const names = new Set(listed.map(({ name }) => name));
  const gone = [...known].filter((name) => !names.has(name));
  if (gone.length > 0) await catalog.dropSegments(gone);
  const unknown: UnknownRuns['segments'] = new Map();
  for (const segment of listed) {
    const runs = known.has(segment.name) ? null : await readableRuns(repository, segment);
    if (runs !== null) unknown.set(segment, runs);
  }
  return unknown;
}

/** `null` for a segment that cannot be read: its runs count as missing, unless their journals are still there. */
async function readableRuns(repository: Repository, segment: ListedSegment): Promise<readonly ListedRun[] | null> {
  const runs = await orDamaged(repository.runsOfSegment(segment));
  return runs?.filter(({ isWhole }) => isWhole) ?? null;
}

/** @returns the runs among those listed that are not among the known */
async function comparePage(
  repository: Repository,
  listed: readonly ListedRun[],
  segmented: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, number>,
): Promise<ListedRun[]> {
  const stored = new Map(listed.map(({ run, commits }) => [run, commits]));
  for (const [run, commits] of known) {
    const found = Math.max(stored.get(run) ?? 0, segmented.get(run) ?? 0);
    if (commits > found) await findCommit(repository, run, commits, found);
  }
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
