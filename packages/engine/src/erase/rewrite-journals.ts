import { forEachAtOnce } from '../model/for-each-at-once.ts';
import { laterOf } from '../model/later-of.ts';
import { withoutObjects } from '../model/without-object.ts';
import type { Commit, RunEnd } from '../repository/commit.ts';
import type { ListedSegment, Replaced, Repository, Run } from '../repository/repository.ts';
import { type ErasedRevisions, type FoundErased, type LastErasure, READ_AT_ONCE, saysErased } from './find-erased.ts';
import type { Place } from './unread-commits.ts';

export interface RewrittenJournals {
  /** Commits that were written again without what was erased. */
  commitsRewritten: number;
  /** Commits that still say it, as they are locked against deletion. */
  commitsLocked: number;
  lockedUntil: Date | null;
  /** Commits that cannot be read, and that were not accepted as lost: they may still say it. */
  commitsUnread: number;
}

/**
 * Takes what was erased out of the journals: the commits that say it are written again without, and their earlier forms deleted. Repeated, it
 * goes on where it was cut short.
 */
export async function rewriteJournals(
  { repository, run }: { repository: Repository; run: Run },
  erased: ErasedRevisions,
  found: FoundErased,
  signal: AbortSignal | undefined,
): Promise<RewrittenJournals> {
  const result = { commitsRewritten: 0, lockedUntil: null as Date | null };
  const count = ({ changed, lockedUntil }: Replaced) => {
    result.commitsRewritten += changed;
    result.lockedUntil = laterOf(result.lockedUntil, lockedUntil);
  };
  const rewrite = async (place: Place, without: (commit: Commit) => Commit) => {
    signal?.throwIfAborted();
    const replaced = await run.replaceCommit(...place, without);
    if (replaced === null) await found.unread.addLost(place);
    else count(replaced);
  };
  const rewriteSegments = async (segments: readonly ListedSegment[], without: (commit: Commit) => Commit) => {
    const forms = new Map((await repository.listSegments()).map((segment) => [segment.name, segment]));
    for (const { name } of segments) {
      signal?.throwIfAborted();
      const segment = forms.get(name);
      if (segment === undefined) continue;
      count(await run.replaceInSegment(segment, without));
    }
  };
  // Findings first: ids and addresses by which some are found are in the sections. In segments these alone, since each is written as a whole.
  const findingsOf = (commit: Commit) => withoutFindings(commit, erased, found);
  const calledOf = (commit: Commit) => withoutFindings(commit, erased, found, false);
  const allOf = (commit: Commit) => withoutFindings(withoutSections(commit, erased), erased, found);
  const both = new Set(found.sections.map(String));
  const alone = found.findings.filter((place) => !both.has(String(place)));
  await forEachAtOnce(alone, READ_AT_ONCE, (place) => rewrite(place, findingsOf));
  await rewriteSegments(found.segments, calledOf);
  await forEachAtOnce(found.sections, READ_AT_ONCE, (place) => rewrite(place, allOf));
  await rewriteSegments(found.segments, allOf);
  const left = await repository.deleteReplacedCommits(signal);
  const lockedUntil = laterOf(result.lockedUntil, left.lockedUntil);
  return { ...result, commitsLocked: left.locked, lockedUntil, commitsUnread: found.unread.count };
}

/** An erased section says that there was a revision, since later ones count from it, and nothing else. */
function withoutSections(commit: Commit, erased: ErasedRevisions): Commit {
  const unnamed = { organizationId: '', id: '', name: '', owner: null, address: null, changes: [] };
  if (!commit.sections.some((section) => saysErased(section, erased))) return commit;
  const sections = commit.sections.map((section) =>
    saysErased(section, erased) ? { ...section, ...unnamed } : section,
  );
  return { ...commit, sections };
}

/** @param isByKey whether findings go that say by a key of which object they are; those without one go in any case */
function withoutFindings(
  commit: Commit,
  erased: ErasedRevisions,
  { called, names, others }: FoundErased,
  isByKey = true,
): Commit {
  const { end } = commit;
  if (end === null) return commit;
  const revisions = new Map(end.objects);
  const findings = withoutObjects(end.findings, {
    hasKey: (key) => isByKey && isBefore(end, revisions.get(key), erased.get(key)),
    isOther: (key) => others.has(key) || (!isByKey && erased.has(key)),
    isCalled: (text) => isBefore(end, undefined, erased.get(called.get(text) ?? '')),
    isNamed: (name) => isBefore(end, undefined, erased.get(names.get(name) ?? '')),
  });
  return findings === end.findings ? commit : { ...commit, end: { ...end, findings } };
}

/** Whether a run was before an erasure: no run goes on beside it. @param revision of the object, where the end of the run says it */
function isBefore({ finishedAt }: RunEnd, revision: number | undefined, erasure: LastErasure | undefined): boolean {
  if (erasure === undefined) return false;
  return revision === undefined ? finishedAt <= erasure.at : revision <= erasure.revision;
}
