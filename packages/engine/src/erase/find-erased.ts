import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { forEachAtOnce } from '../model/in-order.ts';
import { countOf } from '../model/without-object.ts';
import type { Commit, ObjectSection } from '../repository/commit.ts';
import type { Repository } from '../repository/repository.ts';
import { ErasedPacks } from './erased-packs.ts';

/** Where a commit is. */
export type Place = readonly [run: string, sequence: number];

export interface LastErasure {
  revision: number;
  at: Date;
}

/** Objects that were erased, by key. */
export type ErasedRevisions = ReadonlyMap<string, LastErasure>;

/** What a pass over all journals found. */
export interface FoundErased {
  /** Commits with sections of erased objects. */
  sections: Place[];
  /** Commits with findings. */
  findings: Place[];
  /** Keys of erased objects by every id and address they had, in lower case. */
  called: Map<string, string>;
  /** The same by names that no other object has. */
  names: Map<string, string>;
  packs: ErasedPacks;
  /** Commits that cannot be read, and that were not accepted as lost. */
  commitsUnread: number;
}

export interface PassOptions {
  signal?: AbortSignal;
  onProgress?: (commits: number) => void;
}

export const READ_AT_ONCE = 16;

/**
 * Reads all journals for what they say of erased objects. What cannot be read is counted: one bit of one commit must not leave in all others what
 * was to be erased.
 * @param own the run that does it
 */
export async function findErased(
  repository: Repository,
  catalog: RepositoryCatalog,
  erased: ErasedRevisions,
  own: string,
  { signal, onProgress }: PassOptions,
): Promise<FoundErased> {
  const packs = new ErasedPacks(repository, catalog);
  const found: FoundErased = {
    sections: [],
    findings: [],
    called: new Map(),
    names: new Map(),
    packs,
    commitsUnread: 0,
  };
  const accepted = await repository.acceptedLosses();
  let read = 0;
  await forEachAtOnce(placesOf(repository, own), READ_AT_ONCE, async (place) => {
    signal?.throwIfAborted();
    const commit = await orDamaged(repository.findCommit(...place));
    const [run, sequence] = place;
    if (commit !== null) await addFound(found, place, commit, erased);
    else if (!accepted.hasCommits(run, sequence, sequence)) found.commitsUnread += 1;
    onProgress?.(++read);
  });
  await packs.locate();
  if (found.names.size > 0) for await (const { name } of catalog.listObjects()) found.names.delete(name);
  return found;
}

async function addFound(found: FoundErased, place: Place, commit: Commit, erased: ErasedRevisions): Promise<void> {
  const sections = commit.sections.filter((section) => saysErased(section, erased));
  if (sections.length > 0) found.sections.push(place);
  if (hasFindings(commit)) found.findings.push(place);
  for (const section of sections) {
    const { key, name, address, id } = section;
    if (name !== '') found.names.set(name, key);
    for (const one of [address, id]) if (one !== null && one !== '') found.called.set(one.toLowerCase(), key);
    await found.packs.add(section);
  }
}

/** `null` for a commit that is missing or damaged. */
export async function orDamaged(reading: Promise<Commit | null>): Promise<Commit | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'damaged') return null;
    throw error;
  }
}

async function* placesOf(repository: Repository, own: string): AsyncGenerator<Place> {
  for await (const { run, commits } of repository.listRuns())
    if (run !== own) for (let sequence = 1; sequence <= commits; sequence += 1) yield [run, sequence];
}

function hasFindings({ end }: Commit): boolean {
  return end !== null && countOf(end.findings) > 0;
}

/** Whether a section says more of an erased object than that it had the revision. */
export function saysErased(section: ObjectSection, erased: ErasedRevisions): boolean {
  if (section.revision > (erased.get(section.key)?.revision ?? 0)) return false;
  const isErasure = section.changes.some(({ type }) => type === 'erased');
  return !isErasure && (section.changes.length > 0 || section.id !== '');
}
