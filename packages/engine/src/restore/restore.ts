import { ContainerPaths } from '../browse/container-paths.ts';
import { type ItemScope, weighScope } from '../browse/item-scope.ts';
import { type NotBackedUp, notBackedUp } from '../browse/not-backed-up.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError, type EngineErrorCode } from '../model/engine-error.ts';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import { CONTAINER_KINDS, type ItemVersion } from '../model/items.ts';
import type { Repository } from '../repository/repository.ts';
import { chosenItems } from './chosen-items.ts';
import { Claims } from './claims.ts';
import type { ItemOutcome } from './item-outcome.ts';
import { namesakesIn } from './namesakes.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { readRestoreItem } from './read-restore-item.ts';
import { fingerprintOf, openRestoreJournal, type RestoreJournal } from './restore-journal.ts';
import type { RestoreJournals } from './restore-journals.ts';
import { leftoversOf, type RestoreWork, restoreOne } from './restore-one.ts';
import { checkOptions, type RestoreOptions } from './restore-options.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from './restore-place.ts';
import { RestoreCount, type RestoreProgress, type RestoreResult } from './restore-result.ts';
import type { RestoredAbout } from './restored-about.ts';

export interface RestoreParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  /** Aborted: what is under way ends, and the result is Stopped. */
  signal: AbortSignal;
  /** Called with every item; a restore of millions keeps no list of them. */
  onItem?: (item: ItemOutcome) => void;
  /** Called with what the backup does not have of what is to be restored. */
  onNotBackedUp?: (item: NotBackedUp) => void;
  onProgress?: (progress: RestoreProgress) => void;
  /** Where the journal is written that lets a restore go on after it was killed; see `restore-journal.ts`. Without: nowhere. */
  journals?: RestoreJournals;
  /** Default 4: as many as a mailbox serves. The connection's budgets hold beside. */
  itemsAtOnce?: number;
}

export interface RestoreRequest {
  scope: ItemScope;
  options: RestoreOptions;
  /** Names the target in the journal, and to all other restores: one goes on into the same target alone, and one at a time goes into it. */
  to: string;
  /** What people call the target (`to`). */
  toName?: string;
  /** Opens the place that items go to. */
  place(paths: ContainerPaths, signal: AbortSignal): RestorePlace;
}

const ITEMS_AT_ONCE = 4;

/** What every further item would meet too: the restore stops, and goes on from here when it is begun again. */
const ENDS_ALL: ReadonlySet<EngineErrorCode> = new Set<EngineErrorCode>([
  'source-unreachable',
  'credentials-refused',
  'certificate-expired',
  'source-full',
  'source-gone',
  'store-refused',
  'store-unreachable',
  'store-full',
  'stopped',
]);

/**
 * Puts what was stored back. Nothing is doubled and nothing is missing when it is killed at any point and begun again with the same
 * journal; an item that fails is listed with its reason and never the end of the rest.
 *
 * @throws `bad-request` for options that make no sense, a journal of another restore; `not-found` for items that were not there; `locked` while
 *   another restore writes into the target
 */
export async function restore(parts: RestoreParts, request: RestoreRequest): Promise<RestoreResult> {
  checkOptions(request.options);
  const claim = await parts.catalog.claimTarget(request.to, request.toName ?? request.to);
  try {
    return await restoreAlone(parts, request, claim.lost);
  } finally {
    claim.end();
  }
}

async function restoreAlone(parts: RestoreParts, request: RestoreRequest, lost: AbortSignal): Promise<RestoreResult> {
  const count = new RestoreCount();
  const fingerprint = restoreFingerprint(parts, request);
  const journal = await openRestoreJournal(
    parts.journals ?? null,
    fingerprint,
    (done) => count.earlier(done),
    aboutRestore(request),
  );
  try {
    count.total = await weighScope(parts.catalog, request.scope);
    count.notBackedUp = await lackingIn(parts, request);
    for (const item of count.notBackedUp) parts.onNotBackedUp?.(item);
    const stoppedBy = await restoreAll(parts, request, journal, count, lost);
    // Asked for again it looks at everything: what is there may have been deleted since. Only what was broken off is gone on with.
    if (stoppedBy === null) await journal.remove();
    return count.result(stoppedBy, parts.signal.aborted);
  } finally {
    await journal.close();
  }
}

/** An earlier version that was chosen is whole whatever became of the newest one. */
async function lackingIn({ catalog }: RestoreParts, { scope, options }: RestoreRequest): Promise<NotBackedUp[]> {
  return options.earlierVersion === null ? notBackedUp(catalog, scope) : [];
}

function aboutRestore({ scope, to, toName }: RestoreRequest): RestoredAbout {
  return { object: scope.object.key, objectName: scope.object.name, to, toName: toName ?? to };
}

/** One and the same restore has one and the same fingerprint: a name for its journal. */
export function restoreFingerprint(
  { repository }: Pick<RestoreParts, 'repository'>,
  { scope, options, to }: Omit<RestoreRequest, 'place'>,
): string {
  return fingerprintOf([repository.id, scope.object.key, scopeOf(scope), options, to]);
}

/** @returns what stopped it before its end */
async function restoreAll(
  parts: RestoreParts,
  { scope, options, place }: RestoreRequest,
  journal: RestoreJournal,
  count: RestoreCount,
  lost: AbortSignal,
): Promise<string | null> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([parts.signal, stopping.signal, lost]);
  const paths = new ContainerPaths(parts.catalog, scope);
  const into = place(paths, signal);
  const claims = new Claims(journal.claimed);
  const namesakes = namesakesIn({ ...parts, signal }, { place: into, paths, options });
  const work: RestoreWork = { place: into, journal, options, claims, namesakes, turns: new OneAtATime(), signal };
  const report = progressReporter(parts, count);
  const one = async (version: ItemVersion) => {
    signal.throwIfAborted();
    if (journal.isDone(version.id)) return;
    const outcome = await outcomeOf({ ...parts, signal }, work, version, paths);
    if (outcome.outcome === 'entered') count.entered(outcome.losses);
    else {
      await journal.done(outcome);
      count.took(outcome);
      parts.onItem?.(outcome);
    }
    report();
  };
  try {
    await cleanUp({ ...parts, signal }, work, paths, endAll);
    await forEachAtOnce(
      entered(chosenItems(parts.catalog, scope, options), paths),
      parts.itemsAtOnce ?? ITEMS_AT_ONCE,
      (version) =>
        one(version).catch((error: unknown) => {
          stopping.abort(error);
          throw error;
        }),
    );
    await cleanUp({ ...parts, signal }, work, paths, skipItem);
    await into.complete?.();
    return null;
  } catch (error) {
    if (!(error instanceof EngineError) || !ENDS_ALL.has(error.code)) {
      if (!parts.signal.aborted) throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    return [reason, into.untilContinued?.() ?? ''].join(' ').trim();
  }
}

/**
 * What was left half-written goes: that of an attempt before first of all, since an item that equals it would take it for its own. All of it is found
 * before anything goes: several of one name find what each of them left, and what is not the one's may be the other's.
 */
async function cleanUp(
  parts: RestoreParts,
  work: RestoreWork,
  paths: ContainerPaths,
  onError: (error: unknown) => void,
): Promise<void> {
  const left: Leftovers[] = [];
  for (const [id, before] of work.journal.begun()) {
    const found = await leftoversOfItem(parts, work, paths, id, before).catch(onError);
    if (found) left.push(found);
  }
  for (const { item, parent, found } of left)
    for (const one of found) await work.place.remove(one, parent, item).catch(onError);
}

interface Leftovers {
  item: RestoreItem;
  parent: string;
  found: readonly FoundInPlace[];
}

async function leftoversOfItem(
  parts: RestoreParts,
  work: RestoreWork,
  paths: ContainerPaths,
  id: string,
  before: readonly string[],
): Promise<Leftovers | null> {
  const version = await paths.item(id);
  const parent = version === null ? null : await work.place.parentOf(version, false);
  if (version === null || parent === null) return null;
  const item = await readRestoreItem(parts, version, work.options);
  return { item, parent, found: await leftoversOf(work, item, parent, before) };
}

function endAll(error: unknown): never {
  throw error;
}

/** At the end of a restore: what an item that failed left, and what cannot be removed, is no reason to call the rest unfinished. */
function skipItem(error: unknown): void {
  if (!(error instanceof EngineError) || ENDS_ALL.has(error.code)) throw error;
}

/** A container that is there now, and what of it the vendor did not take. */
interface EnteredContainer {
  outcome: 'entered';
  losses: readonly string[];
}

/** Gives a container that was made just now what it had of its own; one that was there keeps what people gave it since. */
async function applySettings(
  parts: RestoreParts,
  { place, options }: RestoreWork,
  version: ItemVersion,
  id: string | null,
): Promise<readonly string[]> {
  if (id === null || place.applyContainerSettings === undefined || !place.isNew(id)) return [];
  return place.applyContainerSettings(id, (await readRestoreItem(parts, version, options)).properties);
}

/** What became of one item. @throws what every further item would meet too, and unexpected errors */
async function outcomeOf(
  parts: RestoreParts,
  work: RestoreWork,
  version: ItemVersion,
  paths: ContainerPaths,
): Promise<ItemOutcome | EnteredContainer> {
  const { id, kind, name } = version;
  const about = { id, kind, name, path: await paths.namesAbove(version.parentId), bytes: 0, losses: [] };
  try {
    if (CONTAINER_KINDS.has(kind)) {
      const losses = await applySettings(parts, work, version, await work.place.container(version, true));
      return { outcome: 'entered', losses };
    }
    if (version.details.without !== undefined) return { ...about, outcome: 'skipped', reason: 'no-bytes' };
    const leftOut = work.place.leavesOut?.(version) ?? null;
    if (leftOut !== null) return { ...about, outcome: 'skipped', reason: leftOut };
    return { ...about, ...(await restoreOne(work, await readRestoreItem(parts, version, work.options))) };
  } catch (error) {
    parts.signal.throwIfAborted();
    // An unexpected error of one item is no reason to stop the others.
    if (!(error instanceof Error) || (error instanceof EngineError && ENDS_ALL.has(error.code))) throw error;
    const reason = error instanceof EngineError ? error.message : `Unexpected: ${error.message}`;
    return { ...about, outcome: 'failed', reason };
  }
}

const REPORT_EVERY_MS = 250;

function progressReporter({ onProgress }: RestoreParts, count: RestoreCount): () => void {
  let reportedMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (onProgress === undefined || performance.now() - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = performance.now();
    onProgress(count.progress());
  };
}

async function* entered(versions: AsyncIterable<ItemVersion>, paths: ContainerPaths): AsyncGenerator<ItemVersion> {
  for await (const version of versions) {
    if (CONTAINER_KINDS.has(version.kind)) paths.saw(version);
    yield version;
  }
}

function scopeOf({ revision, items, showDeleted }: ItemScope) {
  return { revision, items: items === null ? null : [...items].sort(), showDeleted: showDeleted ?? false };
}
