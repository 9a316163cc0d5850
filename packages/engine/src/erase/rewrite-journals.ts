import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/in-order.ts';
import { laterOf } from '../model/later-of.ts';
import { withoutObject } from '../model/without-object.ts';
import type { Commit, ObjectSection } from '../repository/commit.ts';
import type { Repository } from '../repository/repository.ts';

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
  const rewrite = async (place: Place, without: (commit: Commit) => Commit) => {
    options.signal?.throwIfAborted();
    const commit = await repository.findCommit(...place);
    const rest = commit === null ? null : without(commit);
    if (rest === null || rest === commit) return;
    const until = await repository.replaceCommit(rest);
    result.commitsRewritten += 1;
    if (until !== null) result.commitsLocked += 1;
    result.lockedUntil = laterOf(result.lockedUntil, until);
  };
  // Findings first: the names by which they are found are in the sections.
  const names = [...found.names];
  const both = new Set(found.sections.map(String));
  const alone = found.findings.filter((place) => !both.has(String(place)));
  await forEachAtOnce(alone, READ_AT_ONCE, (place) => rewrite(place, (commit) => withoutFindings(commit, names)));
  await forEachAtOnce(found.sections, READ_AT_ONCE, (place) =>
    rewrite(place, (commit) => withoutFindings(withoutSections(commit, erased), names)),
  );
  const left = await repository.deleteReplacedCommits();
  return { ...result, commitsLocked: left.locked, lockedUntil: laterOf(result.lockedUntil, left.lockedUntil) };
}

async function findErased(
  repository: Repository,
  erased: ReadonlyMap<string, number>,
  own: string,
  { signal, onProgress }: RewriteOptions,
): Promise<Found> {
  const found: Found = { sections: [], findings: [], names: new Set() };
  let read = 0;
  await forEachAtOnce(placesOf(repository, own), READ_AT_ONCE, async (place) => {
    signal?.throwIfAborted();
    const commit = await repository.findCommit(...place);
    onProgress?.(++read);
    if (commit === null) return;
    const sections = commit.sections.filter((section) => saysErased(section, erased));
    if (sections.length > 0) found.sections.push(place);
    if (hasFindings(commit)) found.findings.push(place);
    for (const { name, address, id } of sections)
      for (const one of [name, address, id]) if (one !== null && one !== '') found.names.add(one);
  });
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
