/** How much all may have in it together, one of them, and each whatever the others do. */
export interface RoomSizes {
  room: number;
  share: number;
  reserve: number;
}

interface Waiting {
  share: RoomShare;
  amount: number;
  enter: () => void;
}

/**
 * Bounds what all pieces of work of a process have in memory at a time, and divides it among them. Each has a reserve of its own, so that none
 * ever waits for another that is stuck; what is beyond comes out of one room, where the one with the least goes first. In all it is never more than
 * the room, and a reserve for each that works.
 */
export class SharedRoom {
  private readonly sizes: RoomSizes;
  private readonly waiting: Waiting[] = [];
  private used = 0;

  constructor(sizes: RoomSizes) {
    this.sizes = sizes;
  }

  /** For one piece of work. It need not be given back, only what entered by it. */
  share(): RoomShare {
    return new RoomShare(this, this.sizes.reserve);
  }

  /** @returns whether there was room, without waiting for it */
  enterNow(share: RoomShare, amount: number): boolean {
    return this.waiting.length === 0 && this.admit(share, this.counted(amount));
  }

  enter(share: RoomShare, amount: number): Promise<void> {
    return new Promise((enter) => {
      this.waiting.push({ share, amount: this.counted(amount), enter });
      this.admitWaiting();
    });
  }

  leave(amount: number): void {
    this.used -= amount;
    this.admitWaiting();
  }

  /** What is larger than the room has it for itself. */
  counted(amount: number): number {
    return Math.min(amount, this.sizes.room);
  }

  private admitWaiting(): void {
    for (let next = this.next(); next !== null && this.admit(next.share, next.amount); next = this.next()) {
      this.waiting.splice(this.waiting.indexOf(next), 1);
      next.enter();
    }
  }

  /** Of those that wait for others: whose share has the least, and of these the first. What is larger is not passed by smaller ones for ever. */
  private next(): Waiting | null {
    const shares = new Set<RoomShare>();
    let next: Waiting | null = null;
    for (const one of this.waiting) {
      if (shares.has(one.share)) continue;
      shares.add(one.share);
      if (this.mayHave(one.share, one.amount) && one.share.used < (next?.share.used ?? Number.POSITIVE_INFINITY))
        next = one;
    }
    return next;
  }

  private admit(share: RoomShare, amount: number): boolean {
    if (!this.mayHave(share, amount) || this.used + amount > this.sizes.room) return false;
    this.used += amount;
    share.used += amount;
    return true;
  }

  private mayHave({ used }: RoomShare, amount: number): boolean {
    return used === 0 || used + amount <= this.sizes.share;
  }
}

/** What one piece of work has in a room. */
export class RoomShare {
  /** Of the room; what is in the reserve does not count. */
  used = 0;
  private readonly room: SharedRoom;
  private readonly reserve: number;
  private reserved = 0;

  constructor(room: SharedRoom, reserve: number) {
    this.room = room;
    this.reserve = reserve;
  }

  /** Waits until there is room. */
  async enter(amount: number): Promise<void> {
    if (!this.enterReserve(amount)) await this.room.enter(this, amount);
  }

  /** @returns whether there was room, without waiting for it */
  enterNow(amount: number): boolean {
    return this.enterReserve(amount) || this.room.enterNow(this, amount);
  }

  leave(amount: number): void {
    const counted = this.room.counted(amount);
    const ofRoom = Math.min(counted, this.used);
    this.used -= ofRoom;
    this.reserved -= counted - ofRoom;
    this.room.leave(ofRoom);
  }

  /** Works on something when there is room for it. */
  async during<T>(amount: number, work: () => Promise<T>): Promise<T> {
    await this.enter(amount);
    try {
      return await work();
    } finally {
      this.leave(amount);
    }
  }

  private enterReserve(amount: number): boolean {
    if (this.reserved + amount > this.reserve) return false;
    this.reserved += amount;
    return true;
  }
}
