import type { getLastSync, startSync } from '@keepwatch/contract/sources/sources';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { Endpoint } from '@keepwatch/contract/wire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messageOf } from '../kit/api.ts';
import { useLive } from '../kit/live/use-live.ts';
import { useApi, useLostAt, useToasts } from '../kit/portal.tsx';

const KEY = ['monitoring', 'last-sync'];

const LAST_SYNC: Endpoint<typeof getLastSync> = {
  method: 'GET',
  path: '/monitoring/sync/last-sync',
  failure: 'Error while trying to get the last sync info, try again later.',
};
const START_SYNC: Endpoint<typeof startSync> = {
  method: 'POST',
  path: '/monitoring/sync/start',
  failure: 'The sync could not be started, try again later.',
};

/** Soon enough to see that the server answers again. */
const LOST_MS = 10_000;

export type Sync = CallReply<typeof getLastSync>;

/** Runs that were read and that no figure has, or that belong to one of several jobs. */
export function hasUnassigned({ unassigned, unmatched }: Sync): boolean {
  return unassigned !== undefined || unmatched !== undefined;
}

/** How the last sync of all sources went; asked again while one runs, when the server reports a change, and until it answers. */
export function useLastSync() {
  const api = useApi();
  const isLost = useLostAt() !== null;
  useAskWhenBack();
  useLive('sync.changed', KEY);
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request<typeof getLastSync>(LAST_SYNC, {}, signal),
    refetchInterval: ({ state }) => (isLost ? LOST_MS : state.data?.status === 'RUNNING' ? 3_000 : 60_000),
  });
}

/** The browser says that the network is back: whether the server is, only an answer says. */
function useAskWhenBack(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const ask = () => void queries.invalidateQueries({ queryKey: KEY });
    window.addEventListener('online', ask);
    return () => window.removeEventListener('online', ask);
  }, [queries]);
}

/** Reads the sources now. */
export function useStartSync() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request<typeof startSync>(START_SYNC, { body: {} }),
    onSuccess: () => toasts.info('The sources are being read.'),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
