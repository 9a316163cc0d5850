import type { CatalogObject, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import { ObjectOwnership } from '../rebuild/object-ownership.ts';
import type { ObjectChange, PackDamage } from '../repository/commit.ts';
import type { Repository, Run } from '../repository/repository.ts';
import type { DamagedItem } from './damaged-item.ts';

export interface MarkParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  run: Run;
  now: () => Date;
}

/** What a verify leaves behind for the next backup. */
export interface Marked {
  /** Current items that the next backup of their objects reads again. */
  itemsToRead: number;
  /** Names of objects that another run works on: the next verify marks theirs. */
  objectsInWork: string[];
}

const ITEMS_A_COMMIT = 5_000;
const CHUNKS_A_COMMIT = 100_000;
const REASON = 'Its bytes in the repository are damaged or lost. They are read from the source again.';

/**
 * Writes down what was found, in the journal and so in every catalog that is made of it: chunks that cannot be read are not counted on for
 * anything new, and items that need them are lost, so that the next backup asks their source for them. Says nothing where all is
 * known already.
 */
export async function markDamage(
  parts: MarkParts,
  damage: readonly PackDamage[],
  items: readonly DamagedItem[],
): Promise<Marked> {
  const { catalog, run, now } = parts;
  const lost = unknownLosses(items);
  if (damage.length + lost.size === 0) return { itemsToRead: 0, objectsInWork: [] };
  await catalog.apply(await run.commit({ follows: await catalog.unfollowed() }));
  const ownership = new ObjectOwnership(parts.repository, catalog, run, () => undefined);
  const marked = await write(parts, ownership, damage, lost);
  const findings = { failures: [], lost: [], skipped: [], alerts: [] };
  const end = { outcome: 'Success', finishedAt: now(), counts: NO_COUNTS, objects: [], findings } as const;
  await catalog.apply(await run.end({ end: () => end }));
  await ownership.end();
  return marked;
}

/** The same in a run that has begun, and goes on after it. */
export function writeDamage(
  parts: MarkParts,
  ownership: ObjectOwnership,
  damage: readonly PackDamage[],
  items: readonly DamagedItem[],
): Promise<Marked> {
  return write(parts, ownership, damage, unknownLosses(items));
}

async function write(
  parts: MarkParts,
  ownership: ObjectOwnership,
  damage: readonly PackDamage[],
  lost: LossesByObject,
): Promise<Marked> {
  const { catalog, run } = parts;
  const marked: Marked = { itemsToRead: 0, objectsInWork: [] };
  // Before anything is read again: a backup that begins meanwhile must not find damaged chunks as stored.
  for (const some of damageInParts(damage)) await catalog.apply(await run.commit({ damage: some }));
  if (lost.size > 0) ownership.claim([...lost.keys()]);
  for (const { object, changes } of lost.values()) {
    if (await loseItems(parts, ownership, object, changes)) marked.itemsToRead += changes.length;
    else marked.objectsInWork.push(object.name);
  }
  return marked;
}

/** So much as fits into a commit; the chunks of one pack stay together, as they take the place of what was known of it. */
function* damageInParts(damage: readonly PackDamage[]): Generator<PackDamage[]> {
  let part: PackDamage[] = [];
  let chunks = 0;
  for (const one of damage) {
    if (part.length > 0 && chunks + one.chunks.length > CHUNKS_A_COMMIT) {
      yield part;
      [part, chunks] = [[], 0];
    }
    part.push(one);
    chunks += one.chunks.length;
  }
  if (part.length > 0) yield part;
}

/** Objects by their keys, with a change for each item that is lost. */
type LossesByObject = ReadonlyMap<string, { object: CatalogObject; changes: readonly ObjectChange[] }>;

/** Current items that are not known as lost yet. */
function unknownLosses(items: readonly DamagedItem[]): LossesByObject {
  const losses = new Map<string, { object: CatalogObject; changes: ObjectChange[] }>();
  const known = new Map<CatalogObject, ReadonlySet<string>>();
  for (const { object, version } of items) {
    const { id, kind, name, parentId, lastRevision } = version;
    const lost = known.get(object) ?? new Set(object.lost.map((item) => item.id));
    known.set(object, lost);
    if (lastRevision !== null || lost.has(id)) continue;
    const loss = losses.get(object.key) ?? { object, changes: [] };
    loss.changes.push({ type: 'lost', item: { id, kind, name, parentId, reason: REASON } });
    losses.set(object.key, loss);
  }
  return losses;
}

/** @returns `false` while another run has the object */
async function loseItems(
  { catalog, run, now }: MarkParts,
  ownership: ObjectOwnership,
  object: CatalogObject,
  changes: readonly ObjectChange[],
): Promise<boolean> {
  try {
    const owned = await ownership.own(object.key);
    let revision = (await catalog.object(object.key))?.revision ?? object.revision;
    for (let at = 0; at < changes.length; at += ITEMS_A_COMMIT) {
      const { cursors: _cursors, lost: _lost, ...who } = object;
      const section = { ...who, revision: revision + 1, at: now(), changes: changes.slice(at, at + ITEMS_A_COMMIT) };
      await catalog.apply(await run.commit({ sections: [section] }));
      revision += 1;
    }
    owned.release(revision);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'locked') return false;
    throw error;
  }
}
