import { setImmediate } from 'node:timers/promises';

/**
 * Runs what has the same key one after the other, and all else side by side. After a failure the next one comes when the caller has had
 * the time to stop all of them.
 */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const own = before.then(work, async () => {
      await setImmediate();
      return work();
    });
    this.last.set(key, own);
    try {
      return await own;
    } finally {
      if (this.last.get(key) === own) this.last.delete(key);
    }
  }
}
