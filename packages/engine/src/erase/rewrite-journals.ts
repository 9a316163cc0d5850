import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/in-order.ts';
import { laterOf } from '../model/later-of.ts';
import { withoutObject } from '../model/without-object.ts';
import type { Commit, ObjectSection } from '../repository/commit.ts';
import type { ListedSegment, Repository } from '../repository/repository.ts';

export interface RewrittenJournals {
  /** Commits that were written again without what was erased. */
  commitsRewritten: number;
  /** Commits that still say it, as they are locked against deletion. */
  commitsLocked: number;
  lockedUntil: Date | null;
}

interface RewriteOptions {
  signal?: AbortSignal;
  onProgress?: (commits: number) => void;
}

const READ_AT_ONCE = 16;

/** Where a commit is. */
type Place = readonly [run: string, sequence: number];

/** What a pass over all journals found. */
interface Found {
  /** Commits with sections of erased objects. */
  sections: Place[];
  /** Commits with findings. */
  findings: Place[];
  /** Every name under which an erased object was backed up. */
  names: Set<string>;
  /** Segments with any of both. */
  segments: ListedSegment[];
}

/**
 * Takes what was erased out of the journals: the commits that say it are written again without, and deleted in their first form. Repeated, it
 * goes on where it was cut short.
 * @param own the run that does it
 */
export async function rewriteJournals(
  repository: Repository,
  catalog: RepositoryCatalog,
  own: string,
  options: RewriteOptions,
): Promise<RewrittenJournals> {
  const erased = new Map<string, number>();
  for (const { key, revision } of await catalog.listErasures())
    erased.set(key, Math.max(revision, erased.get(key) ?? 0));
  const found = await findErased(repository, erased, own, options);
  const result: RewrittenJournals = { commitsRewritten: 0, commitsLocked: 0, lockedUntil: null };
  const count = (changed: number, until: Date | null) => {
    result.commitsRewritten += changed;
    if (until !== null) result.commitsLocked += changed;
    result.lockedUntil = laterOf(result.lockedUntil, until);
  };
  const rewrite = async (place: Place, without: (commit: Commit) => Commit) => {
    options.signal?.throwIfAborted();
    const commit = await repository.findOwnCommit(...place);
    const rest = commit === null ? null : without(commit);
    if (rest === null || rest === commit) return;
    count(1, await repository.replaceCommit(rest));
  };
  const rewriteSegments = async (segments: readonly ListedSegment[], without: (commit: Commit) => Commit) => {
    const forms = new Map((await repository.listSegments()).map((segment) => [segment.name, segment]));
    for (const { name } of segments) {
      options.signal?.throwIfAborted();
      const segment = forms.get(name);
      if (segment === undefined) continue;
      const { changed, lockedUntil } = await repository.replaceInSegment(segment, without);
      count(changed, lockedUntil);
    }
  };
  // Findings first: the names by which they are found are in the sections.
  const names = [...found.names];
  const findingsOf = (commit: Commit) => withoutFindings(commit, names);
  const allOf = (commit: Commit) => withoutFindings(withoutSections(commit, erased), names);
  const both = new Set(found.sections.map(String));
  const alone = found.findings.filter((place) => !both.has(String(place)));
  await forEachAtOnce(alone, READ_AT_ONCE, (place) => rewrite(place, findingsOf));
  await rewriteSegments(found.segments, findingsOf);
  await forEachAtOnce(found.sections, READ_AT_ONCE, (place) => rewrite(place, allOf));
  await rewriteSegments(found.segments, allOf);
  const left = await repository.deleteReplacedCommits();
  return { ...result, commitsLocked: left.locked, lockedUntil: laterOf(result.lockedUntil, left.lockedUntil) };
}

async function findErased(
  repository: Repository,
  erased: ReadonlyMap<string, number>,
  own: string,
  { signal, onProgress }: RewriteOptions,
): Promise<Found> {
  const found: Found = { sections: [], findings: [], names: new Set(), segments: [] };
  let read = 0;
  const look = (commit: Commit) => {
    onProgress?.(++read);
    const sections = commit.sections.filter((section) => saysErased(section, erased));
    for (const { name, address, id } of sections)
      for (const one of [name, address, id]) if (one !== null && one !== '') found.names.add(one);
    return { hasSections: sections.length > 0, hasFindings: hasFindings(commit) };
  };
  await forEachAtOnce(placesOf(repository, own), READ_AT_ONCE, async (place) => {
    signal?.throwIfAborted();
    // What a segment has may have been written again already.
    const commit = await repository.findOwnCommit(...place);
    const looked = commit === null ? null : look(commit);
    if (looked?.hasSections) found.sections.push(place);
    if (looked?.hasFindings) found.findings.push(place);
  });
  for (const segment of await repository.listSegments()) {
    signal?.throwIfAborted();
    let isFound = false;
    await repository.replaceInSegment(segment, (commit) => {
      const looked = look(commit);
      isFound ||= looked.hasSections || looked.hasFindings;
      return commit;
    });
    if (isFound) found.segments.push(segment);
  }
  return found;
}

async function* placesOf(repository: Repository, own: string): AsyncGenerator<Place> {
  for await (const { run, commits } of repository.listRuns())
    if (run !== own) for (let sequence = 1; sequence <= commits; sequence += 1) yield [run, sequence];
}

function hasFindings({ end }: Commit): boolean {
  const { failures = [], lost = [], skipped = [], alerts = [] } = end?.findings ?? {};
  return failures.length + lost.length + skipped.length + alerts.length > 0;
}

/** Whether a section says more of an erased object than that it had the revision. */
function saysErased(section: ObjectSection, erased: ReadonlyMap<string, number>): boolean {
  if (section.revision > (erased.get(section.key) ?? 0)) return false;
  const isErasure = section.changes.some(({ type }) => type === 'erased');
  return !isErasure && (section.changes.length > 0 || section.id !== '');
}

/** An erased section says that there was a revision, since later ones count from it, and nothing else. */
function withoutSections(commit: Commit, erased: ReadonlyMap<string, number>): Commit {
  const unnamed = { organizationId: '', id: '', name: '', owner: null, address: null, changes: [] };
  if (!commit.sections.some((section) => saysErased(section, erased))) return commit;
  const sections = commit.sections.map((section) =>
    saysErased(section, erased) ? { ...section, ...unnamed } : section,
  );
  return { ...commit, sections };
}

function withoutFindings(commit: Commit, names: readonly string[]): Commit {
  const { end } = commit;
  const findings = end === null ? null : withoutObject(end.findings, names);
  return end === null || findings === null || findings === end.findings
    ? commit
    : { ...commit, end: { ...end, findings } };
}
