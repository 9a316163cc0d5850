import { getHistoryChart } from '@keepwatch/contract/monitoring/insight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

/** Runs by day and result. */
export function useHistory({ days, jobs }: Subject) {
  const api = useApi();
  return useQuery({
    queryKey: ['dashboard', 'history', days, jobs],
    queryFn: ({ signal }) => api.request(getHistoryChart, { query: { ...days, filter: jobs } }, signal),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
  });
}
