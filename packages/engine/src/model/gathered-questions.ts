interface Waiting<Answer> {
  id: string;
  answer: (answer: Answer | undefined) => void;
  fail: (error: unknown) => void;
}

/**
 * Asks about many ids at once instead of about each alone, for all callers: what is asked while a question is in flight waits
 * for the next one, so that a slow responder is asked less often, and about more.
 */
export class GatheredQuestions<Answer> {
  private readonly askAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;
  private readonly idsMax: number;
  private readonly afterEach: () => void;
  private waiting: Waiting<Answer>[] = [];
  private isUnderWay = false;

  /**
   * @param askAll each id once, `idsMax` at most
   * @param afterEach called when a question was answered, or failed, and before the next is asked
   */
  constructor(
    askAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
    idsMax: number,
    afterEach: () => void = () => undefined,
  ) {
    this.askAll = askAll;
    this.idsMax = idsMax;
    this.afterEach = afterEach;
  }

  /** Whether an answer is under way, which may be older than what happens now. */
  get isAsking(): boolean {
    return this.isUnderWay;
  }

  /** @returns `undefined` for an id that the answer does not name */
  ask(id: string): Promise<Answer | undefined> {
    return new Promise((answer, fail) => {
      this.waiting.push({ id, answer, fail });
      if (!this.isUnderWay) void this.askOn();
    });
  }

  private async askOn(): Promise<void> {
    this.isUnderWay = true;
    // What is asked in the same moment is one question already.
    await new Promise((resume) => setImmediate(resume));
    while (this.waiting.length > 0) {
      await this.askOnce(this.waiting.splice(0, this.idsMax));
      this.afterEach();
    }
    this.isUnderWay = false;
  }

  private async askOnce(waiting: readonly Waiting<Answer>[]): Promise<void> {
    try {
      const answers = await this.askAll([...new Set(waiting.map(({ id }) => id))]);
      for (const { id, answer } of waiting) answer(answers.get(id));
    } catch (error) {
      for (const { fail } of waiting) fail(error);
    }
  }
}
