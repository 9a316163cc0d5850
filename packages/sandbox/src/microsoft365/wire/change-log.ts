/** What happened to an entity since a position of the log. */
export interface Change {
  key: string;
  isRemoved: boolean;
}

/** The order in which the entities of one collection changed: what delta queries are answered from. */
export class ChangeLog {
  /** Position of each entity's last change, in ascending order of insertion. */
  private readonly positions = new Map<string, { position: number; isRemoved: boolean }>();
  private last = 0;

  /** The position after the last change; 0 for a log without any. */
  get position(): number {
    return this.last;
  }

  record(key: string, isRemoved = false): void {
    this.last += 1;
    // Deleted first, so that the map stays in the order of positions.
    this.positions.delete(key);
    this.positions.set(key, { position: this.last, isRemoved });
  }

  /** The entities that changed after a position, each once with its latest fate, oldest change first. */
  *after(position: number): Generator<Change & { position: number }> {
    for (const [key, change] of this.positions) if (change.position > position) yield { key, ...change };
  }
}
