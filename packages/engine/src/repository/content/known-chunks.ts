import type { ChunkIndex } from '../chunk-index.ts';

/** The index answers about so many at a time. */
const LOOKUP_MAX = 5_000;

/** Knows which chunks a run need not store: those of the index, and those that it has packed itself and that the index may not know yet. */
export class KnownChunks {
  private readonly index: ChunkIndex;
  /** Chunks since the last commit began, and of that commit, which may not be applied. */
  private recent = new Set<string>();
  private older = new Set<string>();

  constructor(index: ChunkIndex) {
    this.index = index;
  }

  /**
   * Decides for each chunk of a batch whether it is to be stored; one that is counts as known from this moment on.
   * @param chunks in the order in which they were cut; `isAgain`: stored in any case
   */
  async areNew(chunks: readonly { id: string; isAgain: boolean }[]): Promise<boolean[]> {
    const asked = new Set<string>();
    const isCandidate = chunks.map(({ id, isAgain }) => {
      if (isAgain) return true;
      if (this.recent.has(id) || this.older.has(id)) return false;
      this.recent.add(id);
      asked.add(id);
      return true;
    });
    const stored = await this.located([...asked]);
    return chunks.map(({ id, isAgain }, at) => isAgain || (isCandidate[at] === true && !stored.has(id)));
  }

  /** A commit begins: of that before it all is in the index. */
  rotate(): void {
    this.older = this.recent;
    this.recent = new Set();
  }

  private async located(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const stored = new Set<string>();
    for (let at = 0; at < ids.length; at += LOOKUP_MAX) {
      const places = await this.index.locate(ids.slice(at, at + LOOKUP_MAX));
      for (const id of places.keys()) stored.add(id);
    }
    return stored;
  }
}
