import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import { orDamaged } from '../model/or-damaged.ts';
import { countOf } from '../model/without-object.ts';
import { sequencesOf } from '../rebuild/journal-gaps.ts';
import type { Commit, ObjectSection } from '../repository/commit.ts';
import type { ListedRun, ListedSegment, Repository } from '../repository/repository.ts';
import { ErasedPacks } from './erased-packs.ts';
import { type Place, UnreadCommits } from './unread-commits.ts';

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
  /** Segments with any of both. */
  segments: ListedSegment[];
  /** Keys of erased objects by every id and address they had, in lower case. */
  called: Map<string, string>;
  /** The same by names that no other object has. */
  names: Map<string, string>;
  /** Keys of all objects that the catalog has. */
  others: Set<string>;
  packs: ErasedPacks;
  unread: UnreadCommits;
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
  options: PassOptions,
): Promise<FoundErased> {
  const found: FoundErased = {
    sections: [],
    findings: [],
    segments: [],
    called: new Map(),
    names: new Map(),
    others: new Set(),
    packs: new ErasedPacks(repository, catalog),
    unread: new UnreadCommits(repository, await repository.acceptedLosses()),
  };
  await new Pass(repository, erased, found, options).overAll(own);
  await found.packs.locate();
  for await (const { key, name } of catalog.listObjects()) {
    found.others.add(key);
    found.names.delete(name);
  }
  return found;
}

/** What of a commit may have to go. */
interface Looked {
  hasSections: boolean;
  hasFindings: boolean;
}

class Pass {
  private readonly repository: Repository;
  private readonly erased: ErasedRevisions;
  private readonly found: FoundErased;
  private readonly options: PassOptions;
  private read = 0;

  constructor(repository: Repository, erased: ErasedRevisions, found: FoundErased, options: PassOptions) {
    this.repository = repository;
    this.erased = erased;
    this.found = found;
    this.options = options;
  }

  async overAll(own: string): Promise<void> {
    const { repository, found } = this;
    await forEachAtOnce(placesIn(repository, repository.listRuns(), own), READ_AT_ONCE, async (place) => {
      // What a segment has may have been written again already.
      const looked = await this.look(repository.findOwnCommit(...place));
      if (looked === null) found.unread.add(place);
      if (looked?.hasSections) found.sections.push(place);
      if (looked?.hasFindings) found.findings.push(place);
    });
    for (const segment of await repository.listSegments()) await this.overSegment(segment);
  }

  private async overSegment(segment: ListedSegment): Promise<void> {
    const { repository, found } = this;
    const runs = await orDamaged(repository.openSegment(segment));
    if (runs === null) return found.unread.addSegment(segment);
    let isFound = false;
    await forEachAtOnce(placesIn(repository, runs), READ_AT_ONCE, async (place) => {
      const looked = await this.look(repository.findCommit(...place));
      if (looked === null) return found.unread.addSegmented(place);
      found.unread.delete(place);
      isFound ||= looked.hasSections || looked.hasFindings;
    });
    if (isFound) found.segments.push(segment);
  }

  /** `null` for a commit that cannot be read. */
  private async look(reading: Promise<Commit | null>): Promise<Looked | null> {
    this.options.signal?.throwIfAborted();
    const commit = await orDamaged(reading);
    this.read += 1;
    this.options.onProgress?.(this.read);
    if (commit === null) return null;
    const sections = commit.sections.filter((section) => saysErased(section, this.erased));
    for (const section of sections) await this.add(section);
    return { hasSections: sections.length > 0, hasFindings: commit.end !== null && countOf(commit.end.findings) > 0 };
  }

  private async add(section: ObjectSection): Promise<void> {
    const { key, name, address, id } = section;
    if (name !== '') this.found.names.set(name, key);
    for (const one of [address, id]) if (one !== null && one !== '') this.found.called.set(one.toLowerCase(), key);
    await this.found.packs.add(section);
  }
}

async function* placesIn(
  repository: Repository,
  runs: AsyncIterable<ListedRun> | Iterable<ListedRun>,
  but?: string,
): AsyncGenerator<Place> {
  for await (const listed of runs)
    if (listed.run !== but) for (const sequence of await sequencesOf(repository, listed)) yield [listed.run, sequence];
}

/** Whether a section says more of an erased object than that it had the revision. */
export function saysErased(section: ObjectSection, erased: ErasedRevisions): boolean {
  if (section.revision > (erased.get(section.key)?.revision ?? 0)) return false;
  const isErasure = section.changes.some(({ type }) => type === 'erased');
  return !isErasure && (section.changes.length > 0 || section.id !== '');
}
