/** What is lost for good, as a rebuild that went on without it found it (format, 6). */
export interface Losses {
  at: Date;
  /** Commits of a run, from the first to the last of a range. */
  commits: readonly (readonly [run: string, from: number, to: number])[];
  /** Revisions of objects that are in no journal, and the last one that the object had when the loss was accepted. */
  revisions: readonly (readonly [object: string, revision: number, last: number])[];
  /** Runs that had no end then: they may still build on what is lost. */
  openRuns: readonly string[];
  /** Packs of which something cannot be read. */
  packs: readonly string[];
  /** Segments that cannot be read. */
  segments?: readonly string[];
}

/**
 * Which later revisions of an object build on one that is lost: those up to `last`, and all of these runs. No clock says so, as runs are from machines
 * whose clocks may differ by years.
 */
export interface LostRevision {
  revision: number;
  last: number;
  openRuns: ReadonlySet<string>;
}

/** Everything that was accepted as lost in a repository: it is no fault any more, and all catalogs pass over it. */
export class AcceptedLosses {
  private readonly ranges = new Map<string, (readonly [from: number, to: number])[]>();
  private readonly revisions = new Map<string, LostRevision>();
  private readonly packs = new Set<string>();
  private readonly segments = new Set<string>();
  readonly isEmpty: boolean;

  constructor(all: readonly Losses[]) {
    this.isEmpty = all.length === 0;
    for (const { commits, revisions, openRuns, packs, segments = [] } of all) {
      for (const [run, from, to] of commits) this.ranges.set(run, [...(this.ranges.get(run) ?? []), [from, to]]);
      const open = new Set(openRuns);
      for (const [object, revision, last] of revisions)
        this.revisions.set(`${object} ${revision}`, { revision, last, openRuns: open });
      for (const pack of packs) this.packs.add(pack);
      for (const segment of segments) this.segments.add(segment);
    }
  }

  /** How many commits are lost. */
  get commits(): number {
    return [...this.ranges.values()].flat().reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  hasCommits(run: string, from: number, to: number): boolean {
    for (let sequence = from; sequence <= to; sequence += 1) if (!this.hasCommit(run, sequence)) return false;
    return true;
  }

  hasPack(name: string): boolean {
    return this.packs.has(name);
  }

  hasSegment(name: string): boolean {
    return this.segments.has(name);
  }

  lostRevision(object: string, revision: number): LostRevision | null {
    return this.revisions.get(`${object} ${revision}`) ?? null;
  }

  private hasCommit(run: string, sequence: number): boolean {
    return (this.ranges.get(run) ?? []).some(([from, to]) => from <= sequence && sequence <= to);
  }
}
