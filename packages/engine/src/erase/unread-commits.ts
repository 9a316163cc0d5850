import type { AcceptedLosses } from '../model/accepted-losses.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { ListedSegment, Repository } from '../repository/repository.ts';

/** Where a commit is. */
export type Place = readonly [run: string, sequence: number];

/** Commits of which no whole copy was found, and that were not accepted as lost: they may still say what was erased. */
export class UnreadCommits {
  private readonly repository: Repository;
  private readonly accepted: AcceptedLosses;
  private readonly names = new Set<string>();

  constructor(repository: Repository, accepted: AcceptedLosses) {
    this.repository = repository;
    this.accepted = accepted;
  }

  get count(): number {
    return this.names.size;
  }

  add(place: Place): void {
    const [run, sequence] = place;
    if (!this.accepted.hasCommits(run, sequence, sequence)) this.names.add(String(place));
  }

  /** A segment has it whole. */
  delete(place: Place): void {
    this.names.delete(String(place));
  }

  /** A segment does not have it whole; an object of its own may. */
  async addSegmented(place: Place): Promise<void> {
    if ((await orDamaged(this.repository.findOwnCommit(...place))) === null) this.add(place);
  }

  /** It could be read before, and cannot now: unless a segment has it, which is where journals go. */
  async addLost(place: Place): Promise<void> {
    if ((await orDamaged(this.repository.findCommit(...place))) === null) this.add(place);
  }

  /** A segment of which not even the runs can be read counts once. */
  addSegment({ first }: ListedSegment): Promise<void> {
    return this.addSegmented([first, 1]);
  }
}
