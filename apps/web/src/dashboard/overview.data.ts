import { getComputersStatus } from '@keepwatch/contract/monitoring/computers';
import { getOverviewStats } from '@keepwatch/contract/monitoring/insight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useAllows, useApi } from '../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

/** The figures at the head of the dashboard. */
export function useOverview({ days, jobs }: Subject) {
  const api = useApi();
  return useQuery({
    queryKey: ['dashboard', 'overview', days, jobs],
    queryFn: ({ signal }) => api.request(getOverviewStats, { query: { ...days, filter: jobs } }, signal),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
    enabled: useAllows(getOverviewStats.access),
  });
}

/** How many computers discovery found, and how many of them nobody protects. */
export function useComputersStatus({ jobs: { companyIds } }: Subject) {
  const api = useApi();
  return useQuery({
    queryKey: ['dashboard', 'computers', companyIds],
    queryFn: ({ signal }) =>
      api.request(getComputersStatus, { query: companyIds === undefined ? {} : { companyIds } }, signal),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
    enabled: useAllows(getComputersStatus.access),
  });
}
