import { getRepositoryHistory, listRepositories } from '@keepwatch/contract/inventory/repositories';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { knownRangeOf } from '../../kit/date-range/date-range.ts';
import { useApi, useClock } from '../../kit/portal.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';

const PAGE_ROWS = 50;

/** The repositories by the date on which they are full, those without one last; more of them on demand. */
export function useRepositories({ jobs: { companyIds } }: Subject) {
  const api = useApi();
  const query = { sort: 'fullAt', limit: PAGE_ROWS, ...(companyIds === undefined ? {} : { companyIds }) } as const;
  return useInfiniteQuery({
    queryKey: ['dashboard', 'repositories', companyIds],
    queryFn: ({ pageParam, signal }) =>
      api.request(listRepositories, { query: { ...query, offset: pageParam } }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((rows, page) => rows + page.data.length, 0);
      return last.data.length > 0 && loaded < last.count ? loaded : undefined;
    },
    select: ({ pages }) => ({ count: pages.at(-1)?.count ?? 0, data: pages.flatMap((page) => page.data) }),
    placeholderData: keepPreviousData,
  });
}

/** How full a repository was, day by day, in the last 90 days. */
export function useRepositoryHistory(repositoryId: string) {
  const api = useApi();
  const { from, to } = knownRangeOf('Last 90 Days', useClock().now(), useBackupClock());
  const days = { from, to };
  return useQuery({
    queryKey: ['dashboard', 'repository-history', repositoryId, days],
    queryFn: ({ signal }) => api.request(getRepositoryHistory, { query: { ...days, repositoryId } }, signal),
    select: (reply) => reply.data,
  });
}
