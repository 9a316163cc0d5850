import { useSyncExternalStore } from 'react';
import { useClock } from './portal.tsx';

const STEP_MS = 30_000;

/**
 * What `read` makes of this moment (`5 minutes ago`, the day), and a new render once that has changed. A page stays open over
 * night, and nothing else may happen on it.
 */
export function useNow<T extends string>(read: (now: Date) => T): T {
  const clock = useClock();
  return useSyncExternalStore(everyStep, () => read(clock.now()));
}

function everyStep(listener: () => void): () => void {
  const timer = setInterval(listener, STEP_MS);
  return () => clearInterval(timer);
}
