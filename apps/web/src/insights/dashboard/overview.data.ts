import { getOverviewStats } from '@keepwatch/contract/insights/insights';
import { getComputersStatus } from '@keepwatch/contract/inventory/computers';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Api } from '../../kit/api.ts';
import { useAllows, useApi } from '../../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

export function overviewQuery(api: Api, { days, jobs }: Subject) {
  return queryOptions({
    queryKey: ['dashboard', 'overview', days, jobs],
    queryFn: ({ signal }) => api.request(getOverviewStats, { query: { ...days, filter: jobs } }, signal),
  });
}

/** The figures at the head of the dashboard. */
export function useOverview(subject: Subject) {
  return useQuery({
    ...overviewQuery(useApi(), subject),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
    enabled: useAllows(getOverviewStats.access),
  });
}

export function computersQuery(api: Api, { jobs: { companyIds } }: Subject) {
  return queryOptions({
    queryKey: ['dashboard', 'computers', companyIds],
    queryFn: ({ signal }) =>
      api.request(getComputersStatus, { query: companyIds === undefined ? {} : { companyIds } }, signal),
  });
}

/** Reads how many computers discovery found, and how many of them are not protected. */
export function useComputersStatus(subject: Subject) {
  return useQuery({
    ...computersQuery(useApi(), subject),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
    enabled: useAllows(getComputersStatus.access),
  });
}
