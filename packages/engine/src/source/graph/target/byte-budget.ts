/**
 * Lets work begin while the memory of all running work fits within a limit. Work that is larger than the limit runs alone, so that one large
 * item is never joined by another. Work begins in the order it was requested: small work does not keep a large one waiting for ever.
 */
export class ByteBudget {
  private readonly limit: number;
  private readonly waiting: { bytes: number; begin: () => void }[] = [];
  private held = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const share = Math.min(bytes, this.limit);
    await new Promise<void>((begin) => {
      this.waiting.push({ bytes: share, begin });
      this.admit();
    });
    try {
      return await work();
    } finally {
      this.held -= share;
      this.admit();
    }
  }

  private admit(): void {
    for (
      let [first] = this.waiting;
      first !== undefined && this.held + first.bytes <= this.limit;
      [first] = this.waiting
    ) {
      this.waiting.shift();
      this.held += first.bytes;
      first.begin();
    }
  }
}
