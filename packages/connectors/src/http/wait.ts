import { setTimeout } from 'node:timers/promises';

/** Waits `durationMs`; ends at once with the signal's reason when it is aborted. A test gives one that moves its clock. */
export type Wait = (durationMs: number, signal: AbortSignal) => Promise<void>;

export const waitReally: Wait = async (durationMs, signal) => {
  try {
    await setTimeout(durationMs, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};
