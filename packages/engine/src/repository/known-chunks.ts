import type { ChunkIndex } from './chunk-index.ts';

const LOOKUPS_MAX = 2_000;

/**
 * Asks the index about many chunks at once, whoever wants to know, instead of about each by itself: what is wanted while a question is
 * under way waits for the next one, so that a slow index is asked less often, and about more.
 */
export class KnownChunks {
  private readonly index: ChunkIndex;
  private isLooking = false;
  private asked: { id: string; answer: (isKnown: boolean) => void; fail: (error: unknown) => void }[] = [];

  constructor(index: ChunkIndex) {
    this.index = index;
  }

  has(id: string): Promise<boolean> {
    return new Promise((answer, fail) => {
      this.asked.push({ id, answer, fail });
      if (!this.isLooking) void this.lookOn();
    });
  }

  private async lookOn(): Promise<void> {
    this.isLooking = true;
    // What is wanted in the same moment is one question already.
    await new Promise((resume) => setImmediate(resume));
    while (this.asked.length > 0) await this.look(this.asked.splice(0, LOOKUPS_MAX));
    this.isLooking = false;
  }

  private async look(asked: typeof this.asked): Promise<void> {
    try {
      const places = await this.index.locate([...new Set(asked.map(({ id }) => id))]);
      for (const { id, answer } of asked) answer(places.has(id));
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  }
}
