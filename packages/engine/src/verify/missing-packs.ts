import type { NewestPack, RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import type { PackDamage } from '../repository/commit.ts';
import type { LockWait, Repository } from '../repository/repository.ts';
import type { DamagedItem } from './damaged-item.ts';
import { versionsUsing } from './lacking-chunks.ts';
import { markDamage } from './mark-damage.ts';
import { withoutOtherCopy } from './without-other-copy.ts';

/** What a copy lacks that was made while a backup ran is what came last. */
const NEWEST = 32;
/** More than so many are looked for in the list of all. */
const ASKED_MAX = 1_000;
const ASKED_AT_ONCE = 16;

/** Packs that journals speak of and that are not in the store, with the current items that need them. */
export interface MissingPacks {
  damage: readonly PackDamage[];
  items: readonly DamagedItem[];
}

export const NONE_MISSING: MissingPacks = { damage: [], items: [] };

/**
 * Asks the store for the packs that became known since they were compared last, and for the newest of those before, and compares all where one is not there.
 * Journals may be there without their packs: in a copy that was made while a backup ran, or where they were lost and came back after a prune. To
 * compare all packs in every run would take a request for each thousand of them.
 */
export async function missingPacks(repository: Repository, catalog: RepositoryCatalog): Promise<MissingPacks> {
  const newest = await catalog.newestPacks(ASKED_MAX);
  const asked = newest.filter(({ isCompared }, at) => !isCompared || at < NEWEST);
  if (asked.length === ASKED_MAX) return allMissingPacks(repository, catalog);
  let isMissing = false;
  await forEachAtOnce(asked, ASKED_AT_ONCE, async ({ name }) => {
    if (!isMissing && !(await repository.hasPack(name))) isMissing = true;
  });
  if (isMissing) return allMissingPacks(repository, catalog);
  await setCompared(catalog, newest);
  return NONE_MISSING;
}

/** Compares all packs of a catalog with those that the store lists. */
export async function allMissingPacks(repository: Repository, catalog: RepositoryCatalog): Promise<MissingPacks> {
  const newest = await catalog.newestPacks(1);
  const stored = new Set<string>();
  for await (const { name } of repository.listPacks()) stored.add(name);
  const known = await catalog.damagedChunks();
  const damage: PackDamage[] = [];
  for await (const { name, chunks } of catalog.listPacks()) {
    const damaged = new Set(known.get(name));
    // A list may be late.
    if (stored.has(name) || chunks.every(({ id }) => damaged.has(id)) || (await repository.hasPack(name))) continue;
    damage.push({ pack: name, chunks: chunks.map(({ id }) => id) });
  }
  if (damage.length > 0) return { damage, items: await itemsLacking(repository, catalog, damage) };
  await setCompared(catalog, newest);
  return NONE_MISSING;
}

/** Only where none was missing: as long as what is missing is not marked, it is looked for again. */
async function setCompared(catalog: RepositoryCatalog, [last]: readonly NewestPack[]): Promise<void> {
  if (last !== undefined && !last.isCompared) await catalog.setPacksCompared(last.name);
}

async function itemsLacking(
  repository: Repository,
  catalog: RepositoryCatalog,
  damage: readonly PackDamage[],
): Promise<DamagedItem[]> {
  const packs = new Map<string, Set<string>>();
  for (const { pack, chunks } of damage)
    for (const chunk of chunks) packs.set(chunk, (packs.get(chunk) ?? new Set()).add(pack));
  return versionsUsing(repository, catalog, await withoutOtherCopy(repository, catalog, packs));
}

/** Marks what is missing as a verify does, in a run of its own. @returns how many items the next backup reads again */
export async function markMissingPacks(
  repository: Repository,
  catalog: RepositoryCatalog,
  { damage, items }: MissingPacks,
  wait: LockWait,
): Promise<number> {
  if (damage.length === 0) return 0;
  const header = { kind: 'verify', job: 'verify', jobName: 'Missing packs', organizationId: '' } as const;
  const run = await repository.startRun(header, catalog, { wait });
  try {
    const now = () => new Date(Date.now() - run.skewMs);
    return (await markDamage({ repository, catalog, run, now }, damage, items)).itemsToRead;
  } finally {
    await run.abandon();
  }
}
