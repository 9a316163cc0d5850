import { EngineError } from '../../../model/engine-error.ts';
import type { Clock } from '../clock.ts';
import { GraphError } from '../graph-error.ts';

/** Waits before the next attempts: half a minute in all, which is longer than a directory usually takes to agree. */
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * Repeats what is refused because the directory does not know everywhere yet what was just made: as not found, or as a wrong reference.
 * https://learn.microsoft.com/graph/best-practices-concept#handling-expected-errors
 */
export async function untilReplicated<T>(clock: Clock, attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return repeated(clock, attempt, signal, (error) => error instanceof GraphError && [400, 404].includes(error.status));
}

/** Repeats a sign-in that is refused because the application or its certificate is not known everywhere yet. */
export async function untilKnown<T>(clock: Clock, attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return repeated(
    clock,
    attempt,
    signal,
    (error) => error instanceof EngineError && ['credentials-refused', 'consent-missing'].includes(error.code),
  );
}

async function repeated<T>(
  clock: Clock,
  attempt: () => Promise<T>,
  signal: AbortSignal,
  mayPass: (error: unknown) => boolean,
): Promise<T> {
  for (let count = 0; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = WAITS_MS[count];
      if (waitMs === undefined || !mayPass(error)) throw error;
      await clock.sleep(waitMs, signal);
    }
  }
}
