import { hostname, userInfo } from 'node:os';
import type { CatalogObject, RepositoryCatalog, VersionCount } from '../catalog/catalog.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { closeOtherRuns } from '../rebuild/close-dead-runs.ts';
import { stoppableCatalog, stoppableRepository } from '../rebuild/stoppable-parts.ts';
import type { ObjectSection } from '../repository/commit.ts';
import type { Repository, RepositoryLock } from '../repository/repository.ts';
import { type ErasureWork, inErasureRun, signalOf, waitOf } from './erasure-run.ts';
import type { ErasureSubject } from './erasure-subject.ts';
import { type FinishedErasure, finishErasure } from './finish-erasure.ts';
import { type ErasurePlan, NOTHING, type Planned, planned } from './plan-erasure.ts';

export type { ErasurePlan } from './plan-erasure.ts';

export interface ErasureOptions extends ErasureWork {
  subject: ErasureSubject;
  /** For the audit: why, such as the number of a request. */
  reason: string;
  /** For the audit: who asked for it; without it the account and machine. */
  by?: string;
}

export interface ErasureResult extends Omit<ErasurePlan, 'objects'>, FinishedErasure {
  /** Keys of the objects: their names are erased. */
  objects: string[];
}

/** Says what would be erased. @throws `not-found` where the catalog has nothing of the subject; `bad-request` for an address that several users had */
export async function planErasure(
  of: Repository,
  by: RepositoryCatalog,
  subject: ErasureSubject,
  signal?: AbortSignal,
): Promise<ErasurePlan> {
  const [repository, catalog] = [stoppableRepository(of, signal), stoppableCatalog(by, signal)];
  await catchUp(repository, catalog, signalOf({ signal }));
  const { counts: _, ...plan } = await planned(catalog, subject);
  return plan;
}

/**
 * Erases all objects of a subject from all restore points. That it is so is committed under an exclusive lock; then it is removed from the
 * journals beside other runs. Cut short, the next erasure or prune goes on with that.
 *
 * @throws `not-found` where the catalog has nothing of the subject; `locked` when a backup works longer than it waits
 */
export async function erase(of: Repository, by: RepositoryCatalog, options: ErasureOptions): Promise<ErasureResult> {
  const [repository, catalog] = [stoppableRepository(of, options.signal), stoppableCatalog(by, options.signal)];
  const { items, bytes, objects } = await decide(repository, catalog, options);
  const finished = await finishErasure(repository, catalog, options);
  return { objects: objects.map(({ key }) => key), items, bytes, ...finished };
}

/** Commits that the objects are erased. What takes long is done before the lock, which keeps everybody waiting. */
async function decide(repository: Repository, catalog: RepositoryCatalog, options: ErasureOptions): Promise<Planned> {
  await catchUp(repository, catalog, signalOf(options));
  const before = await planned(catalog, options.subject);
  const lock = await repository.lock('exclusive', waitOf(options));
  try {
    await catchUp(repository, catalog, signalOf(options));
    const erased = await planned(catalog, options.subject, before);
    await commitErasure(repository, catalog, options, erased, lock);
    return erased;
  } finally {
    await lock.release();
  }
}

async function commitErasure(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: ErasureOptions,
  { objects, counts }: Planned,
  lock: RepositoryLock,
): Promise<void> {
  await inErasureRun(repository, catalog, options, { lock }, async (run) => {
    await closeOtherRuns(repository, catalog, run.id);
    const at = new Date((options.now?.() ?? new Date()).getTime() - run.skewMs);
    const sections: ObjectSection[] = [];
    for (const object of objects) {
      // Once all runs are closed: what they committed last may be applied only now.
      const revision = (await catalog.revisionOf(object.key)) + 1;
      sections.push(erasedSection(object, revision, counts.get(object.key) ?? NOTHING, options, at));
    }
    await catalog.apply(await run.commit({ sections }));
    return { result: null, failure: null };
  });
}

/** What is left of an object: its key and kind. */
function erasedSection(
  { key, kind }: CatalogObject,
  revision: number,
  { items, bytes }: VersionCount,
  { by = `${userInfo().username} on ${hostname()}`, reason }: ErasureOptions,
  at: Date,
): ObjectSection {
  const unnamed = { organizationId: '', id: '', name: '', owner: null, address: null };
  const changes = [{ type: 'erased', by, reason, items, bytes }] as const;
  return { key, kind, ...unnamed, revision, at, changes };
}
