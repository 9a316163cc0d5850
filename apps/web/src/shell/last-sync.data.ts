import { getLastSync, startSync } from '@keepwatch/contract/monitoring/sources';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../kit/api.ts';
import { useApi, useToasts } from '../kit/portal.tsx';
import { useLive } from '../kit/use-live.ts';

const KEY = ['monitoring', 'last-sync'];

/** How the last sync of all sources went; asked again while one runs, and when the server tells of a change. */
export function useLastSync() {
  const api = useApi();
  useLive('sync.changed', KEY);
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(getLastSync, {}, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? 3_000 : 60_000),
  });
}

/** Reads the sources now. */
export function useStartSync() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(startSync, { body: {} }),
    onSuccess: () => toasts.info('The sources are being read.'),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
