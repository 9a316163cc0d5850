import { getHistoryChart } from '@keepwatch/contract/insights/insights';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Api } from '../../kit/api.ts';
import { useApi } from '../../kit/portal.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';

export function historyQuery(api: Api, { days, jobs }: Subject) {
  return queryOptions({
    queryKey: ['dashboard', 'history', days, jobs],
    queryFn: ({ signal }) => api.request(getHistoryChart, { query: { ...days, filter: jobs } }, signal),
  });
}

/** Runs by day and result. */
export function useHistory(subject: Subject) {
  return useQuery({
    ...historyQuery(useApi(), subject),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
  });
}
