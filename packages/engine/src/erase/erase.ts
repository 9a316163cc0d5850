import { hostname, userInfo } from 'node:os';
import type { CatalogObject, ErasureUse, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { forEachAtOnce } from '../model/in-order.ts';
import { laterOf } from '../model/later-of.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { closeOtherRuns } from '../rebuild/close-dead-runs.ts';
import type { ObjectSection, RunEnd } from '../repository/commit.ts';
import type { LockWait, Repository, RepositoryLock, Run } from '../repository/repository.ts';
import { type ErasureSubject, objectsOfSubject } from './erasure-subject.ts';
import { type RewrittenJournals, rewriteJournals } from './rewrite-journals.ts';

export interface ErasureOptions {
  subject: ErasureSubject;
  /** For the audit: why, such as the number of a request. */
  reason: string;
  /** For the audit: who asked for it; without it the account and machine. */
  by?: string;
  /** How long it waits until the runs that work have ended. */
  waitMs?: number;
  onWait?: (message: string) => void;
  onProgress?: (commits: number) => void;
  signal?: AbortSignal;
  now?: () => Date;
}

/** What an erasure takes, or would take. */
export interface ErasurePlan {
  objects: CatalogObject[];
  /** Item versions of all restore points, and their bytes at the source. */
  items: number;
  bytes: number;
  /** Packs with contents of them: the next prune deletes them, or writes them again without. */
  packs: number;
}

export interface ErasureResult extends Omit<ErasurePlan, 'objects'>, RewrittenJournals {
  /** Keys of the objects: their names are erased. */
  objects: string[];
  /** Packs that are locked against deletion. */
  packsLocked: number;
  /** When the last lock on a journal or a pack ends; `null`: nothing is locked. */
  lockedUntil: Date | null;
}

/** Says what would be erased. @throws `not-found` where the catalog has nothing of the subject */
export async function planErasure(
  repository: Repository,
  catalog: RepositoryCatalog,
  subject: ErasureSubject,
): Promise<ErasurePlan> {
  await catchUp(repository, catalog);
  const { use: _use, ...plan } = await planned(repository, catalog, subject);
  return plan;
}

/**
 * Erases all objects of a subject from all restore points. That it is so is committed under an exclusive lock; then it is removed from the
 * journals beside other runs. Cut short, the next erasure or prune goes on with that.
 *
 * @throws `not-found` where the catalog has nothing of the subject; `locked` when a backup works longer than it waits
 */
export async function erase(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: ErasureOptions,
): Promise<ErasureResult> {
  const lock = await repository.lock('exclusive', waitOf(options));
  let erased: Awaited<ReturnType<typeof planned>>;
  try {
    await catchUp(repository, catalog);
    erased = await planned(repository, catalog, options.subject);
    await commitErasure(repository, catalog, options, erased, lock);
  } finally {
    await lock.release();
  }
  const journals = await finishErasure(repository, catalog, options);
  const locked = await lockedPacks(repository, erased.use.packs);
  const { items, bytes, packs, objects } = erased;
  const lockedUntil = laterOf(journals.lockedUntil, locked.until);
  return {
    objects: objects.map(({ key }) => key),
    items,
    bytes,
    packs,
    ...journals,
    packsLocked: locked.count,
    lockedUntil,
  };
}

/** Takes what was erased out of the journals: the second half of an erasure, and of one that was cut short. */
export async function finishErasure(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: Pick<ErasureOptions, 'onWait' | 'waitMs' | 'signal' | 'onProgress' | 'now'>,
): Promise<RewrittenJournals> {
  return inRun(repository, catalog, options, { wait: waitOf(options) }, (run) =>
    rewriteJournals(repository, catalog, run.id, options),
  );
}

async function planned(repository: Repository, catalog: RepositoryCatalog, subject: ErasureSubject) {
  const all: CatalogObject[] = [];
  for await (const object of catalog.listObjects()) all.push(object);
  const objects = objectsOfSubject(all, subject);
  if (objects.length === 0)
    throw new EngineError(
      'not-found',
      `No restore point has anything of ${subject.type} '${subject.id}', so there is nothing to erase.`,
      { remedy: 'list-objects' },
    );
  const keys = objects.map(({ key }) => key);
  const use = await catalog.erasureUse(keys, (content) => repository.segmentsOf(content, catalog));
  const sums = [...use.objects.values()];
  return {
    objects,
    items: sums.reduce((sum, { items }) => sum + items, 0),
    bytes: sums.reduce((sum, { bytes }) => sum + bytes, 0),
    packs: use.packs.size,
    use,
  };
}

/** So that a commit stays small, however much is erased. */
const NAMES_A_COMMIT = 50_000;

async function commitErasure(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: ErasureOptions,
  { objects, use }: { objects: readonly CatalogObject[]; use: ErasureUse },
  lock: RepositoryLock,
): Promise<void> {
  await inRun(repository, catalog, options, { lock }, async (run) => {
    await closeOtherRuns(repository, catalog, run.id);
    const packs = [...use.packs];
    while (packs.length > 0) await catalog.apply(await run.commit({ erasedPacks: packs.splice(0, NAMES_A_COMMIT) }));
    const at = new Date((options.now?.() ?? new Date()).getTime() - run.skewMs);
    const sections: ObjectSection[] = [];
    for (const object of objects) sections.push(await erasedSection(catalog, object, use, options, at));
    await catalog.apply(await run.commit({ sections }));
  });
}

/** What is left of an object: its key and kind. */
async function erasedSection(
  catalog: RepositoryCatalog,
  { key, kind }: CatalogObject,
  use: ErasureUse,
  { by = `${userInfo().username} on ${hostname()}`, reason }: ErasureOptions,
  at: Date,
): Promise<ObjectSection> {
  const { items, bytes } = use.objects.get(key) ?? { items: 0, bytes: 0 };
  const revision = (await catalog.revisionOf(key)) + 1;
  const unnamed = { organizationId: '', id: '', name: '', owner: null, address: null };
  return { key, kind, ...unnamed, revision, at, changes: [{ type: 'erased', by, reason, items, bytes }] };
}

async function inRun<Result>(
  repository: Repository,
  catalog: RepositoryCatalog,
  { now = () => new Date() }: Pick<ErasureOptions, 'now'>,
  lock: { lock: RepositoryLock } | { wait: LockWait },
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const header = { kind: 'erase', job: 'erase', jobName: 'Erase', organizationId: '' } as const;
  const run = await repository.startRun(header, catalog, lock);
  try {
    if ('wait' in lock) await catchUp(repository, catalog);
    await catalog.apply(await run.commit({ follows: await catalog.unfollowed() }));
    const result = await work(run);
    const findings = { failures: [], lost: [], skipped: [], alerts: [] };
    const finishedAt = new Date(now().getTime() - run.skewMs);
    const end: RunEnd = { outcome: 'Success', finishedAt, counts: NO_COUNTS, objects: [], findings };
    await catalog.apply(await run.end({ end: () => end }));
    return result;
  } finally {
    await run.abandon();
  }
}

const LOOKS_AT_ONCE = 32;

async function lockedPacks(repository: Repository, packs: ReadonlySet<string>) {
  const locked: { count: number; until: Date | null } = { count: 0, until: null };
  if (repository.lockDays === null) return locked;
  await forEachAtOnce(packs, LOOKS_AT_ONCE, async (pack) => {
    const until = await repository.packLockedUntil(pack);
    if (until !== null) locked.count += 1;
    locked.until = laterOf(locked.until, until);
  });
  return locked;
}

/** Long enough for runs that back up a few changes; those that read for hours are waited for another day. */
const WAIT_MS = 10 * 60_000;

function waitOf({ waitMs = WAIT_MS, signal, onWait }: Pick<ErasureOptions, 'onWait' | 'waitMs' | 'signal'>): LockWait {
  return { forMs: waitMs, ...(signal === undefined ? {} : { signal }), ...(onWait === undefined ? {} : { onWait }) };
}
