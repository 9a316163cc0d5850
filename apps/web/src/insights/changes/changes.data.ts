import { getChanges } from '@keepwatch/contract/insights/changes';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Api } from '../../kit/api.ts';
import { useApi } from '../../kit/portal.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';

export function changesQuery(api: Api, { jobs }: Subject) {
  return queryOptions({
    queryKey: ['dashboard', 'changes', jobs],
    queryFn: ({ signal }) => api.request(getChanges, { query: { filter: jobs } }, signal),
  });
}

/** What is different from the same time yesterday, whatever the range of the dashboard. */
export function useChanges(subject: Subject) {
  return useQuery({
    ...changesQuery(useApi(), subject),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
  });
}
