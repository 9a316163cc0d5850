import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '@keepwatch/engine/engine';

const AGAIN_MS = 5_000;

/**
 * Restores into what another restore writes into as soon as that one has ended: both at the same time could write every item. Begins again where the claim on
 * it was lost with its session of the database, and goes on by the journal.
 */
export async function whenFree<T>(restore: () => Promise<T>, signal: AbortSignal, againMs = AGAIN_MS): Promise<T> {
  for (;;) {
    try {
      return await restore();
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'locked') throw error;
      await wait(againMs, undefined, { signal });
    }
  }
}
