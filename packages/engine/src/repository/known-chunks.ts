import type { ChunkIndex } from './chunk-index.ts';

const LOOKUPS_MAX = 2_000;

/** Asks the index about many chunks at once, whoever wants to know, instead of about each by itself. */
export class KnownChunks {
  private readonly index: ChunkIndex;
  private asked: { id: string; answer: (isKnown: boolean) => void; fail: (error: unknown) => void }[] = [];

  constructor(index: ChunkIndex) {
    this.index = index;
  }

  has(id: string): Promise<boolean> {
    return new Promise((answer, fail) => {
      this.asked.push({ id, answer, fail });
      if (this.asked.length === 1) setImmediate(() => void this.look());
      else if (this.asked.length === LOOKUPS_MAX) void this.look();
    });
  }

  private async look(): Promise<void> {
    const asked = this.asked;
    this.asked = [];
    if (asked.length === 0) return;
    try {
      const places = await this.index.locate([...new Set(asked.map(({ id }) => id))]);
      for (const { id, answer } of asked) answer(places.has(id));
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  }
}
