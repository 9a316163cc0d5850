import { getLastSync } from '@keepwatch/contract/sources/sources';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../kit/portal.tsx';

/** Whether any source has been read, or is being read for the first time. */
export function useHasSynced(): boolean {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['dashboard', 'last-sync'],
    queryFn: ({ signal }) => api.request(getLastSync, {}, signal),
  });
  return data !== undefined && data.status !== 'NEVER';
}
