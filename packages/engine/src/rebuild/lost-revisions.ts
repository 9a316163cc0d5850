import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses } from '../model/accepted-losses.ts';
import { EngineError } from '../model/engine-error.ts';
import { type Commit, type ObjectSection, type RunEnd, startOf } from '../repository/commit.ts';
import type { Repository } from '../repository/repository.ts';

interface LostRevision {
  revision: number;
  /** When the loss was accepted: runs after it read all of the object. `null`: it is not yet. */
  until: Date | null;
}

/**
 * Revisions of objects that only lost journals had. Runs that built on them and came before the loss was accepted read only what changed: their
 * cursors do not count, or the lost changes would never be read again, and their restore points say that something is missing.
 */
export class LostRevisions {
  /** The latest start of a run that was looked at: what is accepted now is lost to that one too, whatever clock it had. */
  latestStart = new Date(0);
  private readonly ofObjects = new Map<string, LostRevision[]>();
  private readonly starts = new Map<string, Date>();
  private readonly repository: Repository;
  private readonly accepted: AcceptedLosses;

  constructor(repository: Repository, accepted: AcceptedLosses) {
    this.repository = repository;
    this.accepted = accepted;
  }

  add({ object, revision }: { object: string; revision: number }): void {
    const until = this.accepted.revisionAcceptedAt(object, revision);
    this.ofObjects.set(object, [...(this.ofObjects.get(object) ?? []), { revision, until }]);
  }

  /** What of a commit counts. */
  async without(commit: Commit, catalog: RepositoryCatalog): Promise<Commit> {
    const { header } = commit;
    if (header !== null && header.startedAt > this.latestStart) this.latestStart = header.startedAt;
    if (this.ofObjects.size === 0) return commit;
    const startedAt = await this.startOf(commit);
    const sections = commit.sections.map((section) => this.withoutCursors(startedAt, section));
    if (commit.end === null) return { ...commit, sections };
    let { end } = commit;
    for (const [key, revision] of commit.end.objects)
      if (this.lacks(startedAt, key, revision)) end = withLoss(end, key, (await catalog.object(key))?.name ?? null);
    return { ...commit, sections, end };
  }

  private withoutCursors(startedAt: Date, section: ObjectSection): ObjectSection {
    if (!this.lacks(startedAt, section.key, section.revision)) return section;
    return { ...section, changes: section.changes.filter(({ type }) => type !== 'cursor') };
  }

  private lacks(startedAt: Date, key: string, revision: number): boolean {
    const lost = this.ofObjects.get(key) ?? [];
    return lost.some((one) => one.revision <= revision && (one.until === null || startedAt < one.until));
  }

  /** When its run began by the store's clock, as its first commit says; the name of the run says it by the clock of its machine. */
  private async startOf({ run, header }: Commit): Promise<Date> {
    const startedAt = header?.startedAt ?? this.starts.get(run) ?? (await firstStart(this.repository, run));
    this.starts.set(run, startedAt);
    return startedAt;
  }
}

async function firstStart(repository: Repository, run: string): Promise<Date> {
  try {
    return (await repository.findCommit(run, 1))?.header?.startedAt ?? startOf(run);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'damaged') return startOf(run);
    throw error;
  }
}

const LOST = 'What a lost journal had of it is missing in this restore point.';

function withLoss(end: RunEnd, key: string, objectName: string | null): RunEnd {
  const { failures, objects, ...others } = end.findings;
  const findings = {
    ...others,
    failures: [...failures, { objectName, message: LOST }],
    objects: { ...objects, [key]: 'incomplete' as const },
  };
  return { ...end, findings, outcome: end.outcome === 'Success' ? 'Warning' : end.outcome };
}
