/** Sequences of commits of one run. */
export type CommitRange = readonly [from: number, to: number];

/** What is lost for good, as a rebuild that went on without it found it (format, 6). */
export interface Losses {
  at: Date;
  /** Commits of a run, from the first to the last of a range. */
  commits: readonly (readonly [run: string, from: number, to: number])[];
  /**
   * Revisions of objects that are in no journal, from `first` (without it, the same) to `revision`, and the last one that the object had when the loss
   * was accepted.
   */
  revisions: readonly (readonly [object: string, revision: number, last: number, first?: number | undefined])[];
  /** Runs that had no end then: they may still build on what is lost. */
  openRuns: readonly string[];
  /** By the name of a pack the chunks that cannot be read in it; under an empty name those of which no journal says where they are. */
  chunks: readonly (readonly [pack: string, chunks: readonly string[]])[];
  /** Segments that cannot be read. */
  segments?: readonly string[];
}

/** Revisions of an object that follow each other and are in no journal. */
export interface RevisionRange {
  object: string;
  first: number;
  revision: number;
}

/**
 * Which later revisions of an object build on those that are lost: those up to `last`, and all of these runs. No clock says so, as runs are from machines
 * whose clocks may differ by years.
 */
export interface LostRevision extends Omit<RevisionRange, 'object'> {
  last: number;
  openRuns: ReadonlySet<string>;
}

/** Everything that was accepted as lost in a repository: it is no fault any more, and all catalogs pass over it. */
export class AcceptedLosses {
  private readonly ranges = new Map<string, CommitRange[]>();
  private readonly revisions = new Map<string, LostRevision[]>();
  private readonly chunks = new Map<string, Set<string>>();
  private readonly segments = new Set<string>();
  readonly isEmpty: boolean;
  private readonly all: readonly Losses[];

  constructor(all: readonly Losses[]) {
    this.isEmpty = all.length === 0;
    this.all = all;
    for (const { commits, revisions, openRuns, chunks, segments = [] } of all) {
      for (const [run, from, to] of commits) this.ranges.set(run, [...(this.ranges.get(run) ?? []), [from, to]]);
      const open = new Set(openRuns);
      for (const [object, revision, last, first = revision] of revisions)
        this.revisions.set(object, [...this.lostOf(object), { first, revision, last, openRuns: open }]);
      for (const [pack, ids] of chunks) this.chunks.set(pack, (this.chunks.get(pack) ?? new Set()).union(new Set(ids)));
      for (const segment of segments) this.segments.add(segment);
    }
  }

  /** With what is about to be accepted. */
  and(losses: Losses): AcceptedLosses {
    return new AcceptedLosses([...this.all, losses]);
  }

  /** How many commits are lost. */
  get commits(): number {
    return [...this.ranges.values()].flatMap(joined).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  hasCommits(run: string, from: number, to: number): boolean {
    return joined(this.ranges.get(run) ?? []).some(([first, last]) => first <= from && to <= last);
  }

  /** Whether it was accepted that a chunk cannot be read in a pack, or with an empty name that it is in none. */
  hasChunk(pack: string, chunk: string): boolean {
    return this.chunks.get(pack)?.has(chunk) ?? false;
  }

  hasSegment(name: string): boolean {
    return this.segments.has(name);
  }

  /**
   * The loss of which all of a range is, `null` while a part of it was not accepted: what was read since the loss of one revision builds on those before it.
   * Of several the earliest, as the object was read again after it.
   */
  lostRevision({ object, first, revision }: RevisionRange): LostRevision | null {
    const lost = this.lostOf(object).filter((one) => one.first <= first && revision <= one.revision);
    return lost.toSorted((one, other) => one.last - other.last)[0] ?? null;
  }

  private lostOf(object: string): readonly LostRevision[] {
    return this.revisions.get(object) ?? [];
  }
}

/** Ranges that touch each other as one, in their order. */
function joined(ranges: readonly CommitRange[]): CommitRange[] {
  const all: CommitRange[] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const [first, last] = all.at(-1) ?? [0, -1];
    if (from <= last + 1) all.splice(-1, 1, [first, Math.max(last, to)]);
    else all.push([from, to]);
  }
  return all;
}
