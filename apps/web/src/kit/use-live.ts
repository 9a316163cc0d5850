import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePortal } from './portal.tsx';

/** Changes often come in bursts (a sync); the screen asks once for all of them. */
const GATHER_MS = 1_000;

/** Asks again for everything under `queryKey` when the server says `event`. What is not on screen waits until it is. */
export function useLive(event: string, queryKey: QueryKey): void {
  const { live } = usePortal();
  const queries = useQueryClient();
  const key = JSON.stringify(queryKey);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      timer = undefined;
      // What is being read is read to its end first: a burst of changes must not begin it again and again.
      if (queries.isFetching({ queryKey: JSON.parse(key) }) > 0) timer = setTimeout(ask, GATHER_MS);
      else void queries.invalidateQueries({ queryKey: JSON.parse(key) });
    };
    const stop = live.on(event, () => {
      timer ??= setTimeout(ask, GATHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [live, queries, event, key]);
}
