import type { LiveEventName } from '@keepwatch/contract/live-events';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePortal } from '../portal.tsx';
import { gatherBursts } from './bursts.ts';

/** Changes often come in bursts (a sync, the full hour): after the first of them the screen asks once a second. */
const GATHER_MS = 1_000;

/** Asks again for everything under `queryKey` when the server says `event`. What is not on screen waits until it is. */
export function useLive(event: LiveEventName, queryKey: QueryKey): void {
  const { live } = usePortal();
  const queries = useQueryClient();
  const key = JSON.stringify(queryKey);
  useEffect(() => {
    const bursts = gatherBursts(() => {
      // What is being read is read to its end first: a burst of changes must not begin it again and again.
      if (queries.isFetching({ queryKey: JSON.parse(key) }) > 0) return false;
      void queries.invalidateQueries({ queryKey: JSON.parse(key) });
      return true;
    }, GATHER_MS);
    const stop = live.on(event, bursts.event);
    return () => {
      stop();
      bursts.stop();
    };
  }, [live, queries, event, key]);
}
