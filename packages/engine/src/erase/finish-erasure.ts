import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import { laterOf } from '../model/later-of.ts';
import { stoppableCatalog, stoppableRepository } from '../rebuild/stoppable-parts.ts';
import type { Repository, Run } from '../repository/repository.ts';
import { type ErasureWork, inErasureRun, waitOf } from './erasure-run.ts';
import { findErased, type LastErasure } from './find-erased.ts';
import { type RewrittenJournals, rewriteJournals } from './rewrite-journals.ts';
import { unreadText } from './unread-text.ts';

/** What the second half of an erasure did: of this one, and of all before it. */
export interface FinishedErasure extends RewrittenJournals {
  /** Packs with contents of what was erased: the next prune deletes them, or writes them again without. */
  packs: number;
  /** Packs among them that are locked against deletion. */
  packsLocked: number;
  /** When the last lock on a journal or a pack ends; `null`: nothing is locked. */
  lockedUntil: Date | null;
  /** Long contents of which it is not known which packs they are in, since the list that says so cannot be read. */
  listsUnread: number;
}

/**
 * Takes what was erased out of the journals, and names the packs that have contents of it: the second half of an erasure, and of one that was
 * cut short.
 */
export async function finishErasure(
  of: Repository,
  by: RepositoryCatalog,
  options: ErasureWork,
): Promise<FinishedErasure> {
  const [repository, catalog] = [stoppableRepository(of, options.signal), stoppableCatalog(by, options.signal)];
  return inErasureRun(repository, catalog, options, { wait: waitOf(options) }, async (run) => {
    const erased = await erasedRevisions(catalog);
    const found = await findErased(repository, catalog, erased, run.id, options);
    const packs = found.packs.names;
    // Before the sections lose what says where the contents are.
    await namePacks(catalog, run, packs);
    const journals = await rewriteJournals({ repository, run }, erased, found, options.signal);
    const locked = await lockedPacks(repository, packs);
    const lockedUntil = laterOf(journals.lockedUntil, locked.until);
    const { listsUnread } = found.packs;
    const result = { ...journals, packs: packs.size, packsLocked: locked.count, lockedUntil, listsUnread };
    return { result, failure: unreadText(journals) };
  });
}

async function erasedRevisions(catalog: RepositoryCatalog): Promise<Map<string, LastErasure>> {
  const erased = new Map<string, LastErasure>();
  for (const { key, revision, at } of await catalog.listErasures())
    if (revision > (erased.get(key)?.revision ?? 0)) erased.set(key, { revision, at });
  return erased;
}

/** So that a commit stays small, however much is erased. */
const NAMES_A_COMMIT = 50_000;

async function namePacks(catalog: RepositoryCatalog, run: Run, packs: ReadonlySet<string>): Promise<void> {
  const named = await catalog.erasedPacks();
  const names = [...packs].filter((name) => !named.has(name));
  while (names.length > 0) await catalog.apply(await run.commit({ erasedPacks: names.splice(0, NAMES_A_COMMIT) }));
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
