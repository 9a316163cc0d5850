import { useEffect, useMemo, useRef } from 'react';

/** A key that was meant for the fault before must not decide the one that has just come without one. */
const GUARD_MS = 700;

/** Decides nothing for a moment after a fault has come without a key. */
export interface Guard {
  isOn: () => boolean;
  start: () => void;
}

export function useGuard(): Guard {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return useMemo(
    () => ({
      isOn: () => timer.current !== null,
      start: () => {
        clearTimeout(timer.current ?? undefined);
        timer.current = setTimeout(() => {
          timer.current = null;
        }, GUARD_MS);
      },
    }),
    [],
  );
}
