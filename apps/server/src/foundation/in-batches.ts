/** Repeats a piece of work, of which each time is a transaction of its own, until it finds nothing more to do. @param batch returns how much it did */
export async function inBatches(signal: AbortSignal, batch: () => Promise<number>): Promise<void> {
  while (!signal.aborted) if ((await batch()) === 0) return;
}
