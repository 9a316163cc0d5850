/**
 * The clock of the store, as the objects show it that were written there, and as long as was counted here since. It is never ahead of the store's, so
 * that no process counts as gone too early; without it, what a dead process left would count until another one writes something.
 */
export class StoreClock {
  private knownMs = Number.NEGATIVE_INFINITY;
  private learntMs = 0;

  /** @param instants when objects were written, by the store */
  learn(instants: readonly Date[]): void {
    const newestMs = Math.max(...instants.map((instant) => instant.getTime()));
    if (newestMs <= this.nowMs()) return;
    this.knownMs = newestMs;
    // Not the time of day, which somebody may set.
    this.learntMs = performance.now();
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  private nowMs(): number {
    return this.knownMs + performance.now() - this.learntMs;
  }
}
