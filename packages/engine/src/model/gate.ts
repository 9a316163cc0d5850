/** Lets in so much at a time and makes the rest wait in order: what bounds the memory of many writers. */
export class Gate {
  private readonly room: number;
  private used = 0;
  private readonly waiting: { amount: number; enter: () => void }[] = [];

  constructor(room: number) {
    this.room = room;
  }

  /** Waits until there is room. An amount that is larger than the whole room enters when the room is empty. */
  async enter(amount: number): Promise<void> {
    if (!this.enterNow(amount)) await new Promise<void>((enter) => this.waiting.push({ amount, enter }));
  }

  /** @returns whether there was room, without waiting for it */
  enterNow(amount: number): boolean {
    if (this.waiting.length > 0 || !this.fits(amount)) return false;
    this.used += amount;
    return true;
  }

  leave(amount: number): void {
    this.used -= amount;
    for (let next = this.waiting[0]; next !== undefined && this.fits(next.amount); next = this.waiting[0]) {
      this.waiting.shift();
      this.used += next.amount;
      next.enter();
    }
  }

  private fits(amount: number): boolean {
    return this.used === 0 || this.used + amount <= this.room;
  }
}
