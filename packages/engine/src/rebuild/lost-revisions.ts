import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses, LostRevision, RevisionRange } from '../model/accepted-losses.ts';
import type { Commit, ObjectSection, RunEnd } from '../repository/commit.ts';

/**
 * Revisions of objects that only lost journals had. Runs that built on them and came before the loss was accepted read only what changed: their
 * cursors do not count, or the lost changes would never be read again, and their restore points say that something is missing.
 */
export class LostRevisions {
  private readonly ofObjects = new Map<string, LostRevision[]>();
  private readonly accepted: AcceptedLosses;

  constructor(accepted: AcceptedLosses) {
    this.accepted = accepted;
  }

  /** One that is being accepted now has nothing after it yet that was read knowing of it. */
  add(range: RevisionRange): void {
    const now = { ...range, last: Number.POSITIVE_INFINITY, openRuns: new Set<string>() };
    const lost = this.accepted.lostRevision(range) ?? now;
    this.ofObjects.set(range.object, [...(this.ofObjects.get(range.object) ?? []), lost]);
  }

  /** What of a commit counts. */
  async without(commit: Commit, catalog: RepositoryCatalog): Promise<Commit> {
    if (this.ofObjects.size === 0) return commit;
    const sections = commit.sections.map((section) => this.withoutCursors(commit.run, section));
    if (commit.end === null) return { ...commit, sections };
    let { end } = commit;
    for (const [key, revision] of commit.end.objects)
      if (this.lacks(commit.run, key, revision)) end = withLoss(end, key, (await catalog.object(key))?.name ?? null);
    return { ...commit, sections, end };
  }

  private withoutCursors(run: string, section: ObjectSection): ObjectSection {
    if (!this.lacks(run, section.key, section.revision)) return section;
    return { ...section, changes: section.changes.filter(({ type }) => type !== 'cursor') };
  }

  private lacks(run: string, key: string, revision: number): boolean {
    const lost = this.ofObjects.get(key) ?? [];
    return lost.some((one) => one.first <= revision && (revision <= one.last || one.openRuns.has(run)));
  }
}

const LOST = 'What a lost journal had of it is missing in this restore point.';

function withLoss(end: RunEnd, key: string, objectName: string | null): RunEnd {
  const { failures, objects, ...others } = end.findings;
  const findings = {
    ...others,
    failures: [...failures, { objectName, message: LOST, objectKey: key }],
    objects: { ...objects, [key]: 'incomplete' as const },
  };
  return { ...end, findings, outcome: end.outcome === 'Success' ? 'Warning' : end.outcome };
}
