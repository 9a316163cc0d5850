/** What happened to an entity since a position of the log. */
export interface Change {
  key: string;
  isRemoved: boolean;
}

/** The order in which the entities of one collection changed: what delta queries are answered from. */
export class ChangeLog {
  /** Ascending by position; an entry that a later change of its entity has made void stays as a gap. */
  private entries: (Change & { position: number; isVoid: boolean })[] = [];
  private readonly latest = new Map<string, Change & { position: number; isVoid: boolean }>();
  private last = 0;

  /** The position after the last change; 0 for a log without any. */
  get position(): number {
    return this.last;
  }

  record(key: string, isRemoved = false): void {
    this.last += 1;
    const before = this.latest.get(key);
    if (before) before.isVoid = true;
    const entry = { key, isRemoved, position: this.last, isVoid: false };
    this.latest.set(key, entry);
    this.entries.push(entry);
    // Gaps are swept when they outnumber what counts, so that a long life costs no more than a short one.
    if (this.entries.length > 64 && this.entries.length > 2 * this.latest.size) {
      this.entries = this.entries.filter(({ isVoid }) => !isVoid);
    }
  }

  /** Whether anything is on record of this entity. */
  has(key: string): boolean {
    return this.latest.has(key);
  }

  /** The entities that changed after a position, each once with its latest fate, oldest change first. */
  *after(position: number): Generator<Change & { position: number }> {
    const { entries } = this;
    for (let at = this.firstAfter(position); at < entries.length; at += 1) {
      const entry = entries[at];
      if (entry && !entry.isVoid) yield { key: entry.key, isRemoved: entry.isRemoved, position: entry.position };
    }
  }

  private firstAfter(position: number): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.entries[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
