/** Lets in so much at a time and makes the rest wait in order: what bounds the memory of many writers. */
export class Gate {
  private readonly room: number;
  private taken = 0;
  private readonly waiting: { amount: number; enter: () => void }[] = [];

  constructor(room: number) {
    this.room = room;
  }

  /** One that is larger than the whole room enters when nobody else is in. */
  async enter(amount: number): Promise<void> {
    if (this.waiting.length === 0 && this.fits(amount)) this.taken += amount;
    else await new Promise<void>((enter) => this.waiting.push({ amount, enter }));
  }

  leave(amount: number): void {
    this.taken -= amount;
    for (let next = this.waiting[0]; next !== undefined && this.fits(next.amount); next = this.waiting[0]) {
      this.waiting.shift();
      this.taken += next.amount;
      next.enter();
    }
  }

  private fits(amount: number): boolean {
    return this.taken === 0 || this.taken + amount <= this.room;
  }
}
