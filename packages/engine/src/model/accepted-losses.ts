/** What is lost for good, as a rebuild that went on without it found it (format, 6). */
export interface Losses {
  at: Date;
  /** Commits of a run, from the first to the last of a range. */
  commits: readonly (readonly [run: string, from: number, to: number])[];
  /** Revisions of objects that are in no journal. */
  revisions: readonly (readonly [object: string, revision: number])[];
  /** By the name of a pack the chunks that cannot be read in it; under an empty name those of which no journal says where they are. */
  chunks: readonly (readonly [pack: string, chunks: readonly string[]])[];
}

/** Everything that was accepted as lost in a repository: it is no fault any more, and all catalogs pass over it. */
export class AcceptedLosses {
  private readonly ranges = new Map<string, (readonly [from: number, to: number])[]>();
  private readonly revisions = new Map<string, Date>();
  private readonly chunks = new Map<string, Set<string>>();
  readonly isEmpty: boolean;
  private readonly all: readonly Losses[];

  constructor(all: readonly Losses[]) {
    this.isEmpty = all.length === 0;
    this.all = all;
    for (const { at, commits, revisions, chunks } of all) {
      for (const [run, from, to] of commits) this.ranges.set(run, [...(this.ranges.get(run) ?? []), [from, to]]);
      for (const [object, revision] of revisions) this.revisions.set(`${object} ${revision}`, at);
      for (const [pack, ids] of chunks) this.chunks.set(pack, (this.chunks.get(pack) ?? new Set()).union(new Set(ids)));
    }
  }

  /** With what is about to be accepted. */
  and(losses: Losses): AcceptedLosses {
    return new AcceptedLosses([...this.all, losses]);
  }

  /** How many commits are lost. */
  get commits(): number {
    return [...this.ranges.values()].flat().reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  hasCommits(run: string, from: number, to: number): boolean {
    for (let sequence = from; sequence <= to; sequence += 1) if (!this.hasCommit(run, sequence)) return false;
    return true;
  }

  /** Whether it was accepted that a chunk cannot be read in a pack, or with an empty name that it is in none. */
  hasChunk(pack: string, chunk: string): boolean {
    return this.chunks.get(pack)?.has(chunk) ?? false;
  }

  /** When the loss of a revision was accepted: from then on its object is read again. */
  revisionAcceptedAt(object: string, revision: number): Date | null {
    return this.revisions.get(`${object} ${revision}`) ?? null;
  }

  private hasCommit(run: string, sequence: number): boolean {
    return (this.ranges.get(run) ?? []).some(([from, to]) => from <= sequence && sequence <= to);
  }
}
