const BUCKETS = 20;

/**
 * Counts what happened within a rolling window, in 21 buckets rather than by instants: a window of 130,000 requests takes no more
 * room than one of ten. The oldest bucket counts whole until all of it has left, so no window of that length ever contains
 * more than the limit.
 */
export class RollingCount {
  limit: number;
  private readonly bucketMs: number;
  private readonly counts = new Float64Array(BUCKETS + 1);
  private newest = 0;

  constructor(limit: number, windowMs: number) {
    this.limit = limit;
    this.bucketMs = windowMs / BUCKETS;
  }

  add(count: number, nowMs: number): void {
    this.turn(nowMs);
    const bucket = this.newest % this.counts.length;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
  }

  /** Milliseconds until so many more may happen; 0 for now. What is more than the limit itself may happen in an empty window. */
  waitMs(count: number, nowMs: number): number {
    this.turn(nowMs);
    let room = this.limit - this.counts.reduce((sum, one) => sum + one, 0);
    if (Math.min(count, this.limit) <= room) return 0;
    for (let bucket = this.newest - BUCKETS; bucket <= this.newest; bucket += 1) {
      room += this.counts[((bucket % this.counts.length) + this.counts.length) % this.counts.length] ?? 0;
      if (room >= Math.min(count, this.limit)) return Math.max(1, (bucket + BUCKETS + 1) * this.bucketMs - nowMs);
    }
    return 0;
  }

  private turn(nowMs: number): void {
    const bucket = Math.floor(nowMs / this.bucketMs);
    const passed = Math.min(bucket - this.newest, this.counts.length);
    for (let step = 0; step < passed; step += 1) this.counts[(bucket - step) % this.counts.length] = 0;
    if (bucket > this.newest) this.newest = bucket;
  }
}
