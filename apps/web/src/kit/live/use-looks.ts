import type { LiveEventName } from '@keepwatch/contract/live-events';
import { useEffect, useRef } from 'react';
import { usePortal } from '../portal.tsx';
import { gatherBursts } from './bursts.ts';

/** A sync changes many runs in a row: after a look at the first of them, one look for all that follow is enough. */
const GATHER_MS = 1_500;

/**
 * Looks at the server when it says `event`, for lists that must not simply be read again; one look at a time.
 * @param state what a look is about: it gets the one that it begins with, and may ask for that of the moment
 * @param look answers false where it could not be made now; it is then made again
 */
export function useLooks<State>(
  event: LiveEventName,
  state: State,
  look: (asked: State, now: () => State) => Promise<boolean>,
): void {
  const { live } = usePortal();
  const latest = useRef({ state, look });
  useEffect(() => {
    latest.current = { state, look };
  });
  useEffect(() => {
    let isLooking = false;
    const lookOnce = async () => {
      const isMade = await latest.current.look(latest.current.state, () => latest.current.state);
      if (!isMade) bursts.event();
    };
    const bursts = gatherBursts(() => {
      if (isLooking) return false;
      isLooking = true;
      void lookOnce().finally(() => {
        isLooking = false;
      });
      return true;
    }, GATHER_MS);
    const stop = live.on(event, bursts.event);
    return () => {
      stop();
      bursts.stop();
    };
  }, [live, event]);
}
