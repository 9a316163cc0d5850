import { forEachAtOnce } from '../model/in-order.ts';
import { laterOf } from '../model/later-of.ts';
import { withoutObjects } from '../model/without-object.ts';
import type { Commit, RunEnd } from '../repository/commit.ts';
import type { Repository } from '../repository/repository.ts';
import {
  type ErasedRevisions,
  type FoundErased,
  type LastErasure,
  orDamaged,
  type Place,
  READ_AT_ONCE,
  saysErased,
} from './find-erased.ts';

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
  repository: Repository,
  erased: ErasedRevisions,
  found: FoundErased,
  signal: AbortSignal | undefined,
): Promise<RewrittenJournals> {
  const result: RewrittenJournals = {
    commitsRewritten: 0,
    commitsLocked: 0,
    lockedUntil: null,
    commitsUnread: found.commitsUnread,
  };
  const rewrite = async (place: Place, without: (commit: Commit) => Commit) => {
    signal?.throwIfAborted();
    // Where the first form is locked it still says everything, and a later one may have been written long ago.
    const commit = await orDamaged(repository.findLastForm(...place));
    if (commit === null) result.commitsUnread += 1;
    const rest = commit === null ? null : without(commit);
    if (rest === null || rest === commit) return;
    result.lockedUntil = laterOf(result.lockedUntil, await repository.replaceCommit(rest));
    result.commitsRewritten += 1;
  };
  // Findings first: ids and addresses by which some are found are in the sections.
  const both = new Set(found.sections.map(String));
  const alone = found.findings.filter((place) => !both.has(String(place)));
  await forEachAtOnce(alone, READ_AT_ONCE, (place) =>
    rewrite(place, (commit) => withoutFindings(commit, erased, found)),
  );
  await forEachAtOnce(found.sections, READ_AT_ONCE, (place) =>
    rewrite(place, (commit) => withoutFindings(withoutSections(commit, erased), erased, found)),
  );
  const left = await repository.deleteReplacedCommits(signal);
  return { ...result, commitsLocked: left.locked, lockedUntil: laterOf(result.lockedUntil, left.lockedUntil) };
}

/** An erased section says that there was a revision, since later ones count from it, and nothing else. */
function withoutSections(commit: Commit, erased: ErasedRevisions): Commit {
  if (!commit.sections.some((section) => saysErased(section, erased))) return commit;
  const unnamed = { organizationId: '', id: '', name: '', owner: null, address: null, changes: [] };
  const sections = commit.sections.map((section) =>
    saysErased(section, erased) ? { ...section, ...unnamed } : section,
  );
  return { ...commit, sections };
}

function withoutFindings(commit: Commit, erased: ErasedRevisions, { called, names }: FoundErased): Commit {
  const { end } = commit;
  if (end === null) return commit;
  const revisions = new Map(end.objects);
  const findings = withoutObjects(end.findings, {
    hasKey: (key) => isBefore(end, revisions.get(key), erased.get(key)),
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
