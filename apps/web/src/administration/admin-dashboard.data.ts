import { getAdminDashboard } from '@keepwatch/contract/administration/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../kit/portal.tsx';

/** The queue is counted every 20 seconds. */
const REFRESH_MS = 20_000;

export function useAdminDashboard() {
  const api = useApi();
  return useQuery({
    queryKey: ['administration', 'dashboard'],
    queryFn: ({ signal }) => api.request(getAdminDashboard, {}, signal),
    select: ({ data }) => data,
    refetchInterval: REFRESH_MS,
  });
}
