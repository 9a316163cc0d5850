import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { ChunkPlace, StoredPack } from '../repository/commit.ts';
import type { Run } from '../repository/repository.ts';
import { type PruneParts, type PrunePlan, packUsage, type RunResult } from './prune-plan.ts';

export type RetiredPack = Pick<StoredPack, 'name' | 'sizeBytes'>;

/** Copies are committed this often: what a crash undoes stays small, and packs become full. */
const PACKS_A_COMMIT = 64;
/** Packs of very small chunks have long directories, and a commit names them all. */
const CHUNKS_A_COMMIT = 200_000;

/**
 * Copies what is needed out of the candidates of a plan. A candidate of which that is impossible is one no longer.
 * @returns the bytes that were copied
 */
export async function copyOut(parts: PruneParts, run: Run, plan: PrunePlan): Promise<RunResult<number>> {
  const { repository, catalog, options } = parts;
  const total = plan.candidates.size;
  let [done, chunks, packs] = [0, 0, 0];
  for await (const { pack, usedChunks } of packUsage(repository, catalog, plan.expiry)) {
    options.signal?.throwIfAborted();
    if (!plan.candidates.has(pack.name)) continue;
    const needed = await onlyHere(parts, pack, new Set(usedChunks), plan.candidates);
    if (!(await copied(run, needed))) plan.candidates.delete(pack.name);
    done += 1;
    packs += 1;
    chunks += needed.length;
    options.onProgress?.({ step: 'copying', done, total });
    if (packs < PACKS_A_COMMIT && chunks < CHUNKS_A_COMMIT) continue;
    await catalog.apply(await run.commit({}));
    [packs, chunks] = [0, 0];
  }
  // What was copied last is stored with this one, and counts then.
  if (packs > 0) await catalog.apply(await run.commit({}));
  return { result: run.bytesStored, last: {} };
}

/**
 * Chunks of a pack that have no whole copy in a pack that stays. That another pack lists a chunk is not enough: its copy may be damaged,
 * and this one be the last that is not.
 */
async function onlyHere(
  { repository, catalog }: PruneParts,
  pack: StoredPack,
  used: ReadonlySet<string>,
  candidates: ReadonlySet<string>,
): Promise<string[]> {
  const needed: string[] = [];
  for (const chunks of inPages(pack.chunks.map(({ id }) => id))) {
    const places = await catalog.locate(chunks);
    for (const id of chunks) {
      const staying = stayingPlaces(places.get(id), candidates);
      const isNeeded = staying.length === 0 ? used.has(id) : !(await repository.hasChunk(id, staying));
      if (isNeeded) needed.push(id);
    }
  }
  return needed;
}

/** @returns `false` when one of the chunks cannot be read: then its pack stays, so that it can be repaired */
async function copied(run: Run, chunks: readonly string[]): Promise<boolean> {
  return (await orDamaged(run.copyChunks(chunks).then(() => true))) ?? false;
}

/** The candidates that are no longer needed: every chunk that is used has a place in a pack that stays. */
export async function packsToRetire(
  { repository, catalog, options }: PruneParts,
  { expiry, candidates }: PrunePlan,
): Promise<RetiredPack[]> {
  const retired: RetiredPack[] = [];
  if (candidates.size === 0) return retired;
  for await (const { pack, usedChunks } of packUsage(repository, catalog, expiry)) {
    options.signal?.throwIfAborted();
    if (candidates.has(pack.name) && (await areElsewhere(catalog, usedChunks, candidates)))
      retired.push({ name: pack.name, sizeBytes: pack.sizeBytes });
  }
  return retired;
}

async function areElsewhere(
  catalog: RepositoryCatalog,
  chunks: readonly string[],
  candidates: ReadonlySet<string>,
): Promise<boolean> {
  for (const some of inPages(chunks)) {
    const places = await catalog.locate(some);
    if (some.some((id) => stayingPlaces(places.get(id), candidates).length === 0)) return false;
  }
  return true;
}

function stayingPlaces(places: readonly ChunkPlace[] = [], candidates: ReadonlySet<string>): ChunkPlace[] {
  return places.filter(({ pack, isDamaged }) => isDamaged !== true && !candidates.has(pack));
}

const CHUNKS_A_QUESTION = 5_000;

function* inPages(chunks: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < chunks.length; at += CHUNKS_A_QUESTION) yield chunks.slice(at, at + CHUNKS_A_QUESTION);
}
