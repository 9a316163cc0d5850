import { getRepositoryHistory, listRepositories } from '@keepwatch/contract/inventory/repositories';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { knownRangeOf } from '../../kit/date-range/date-range.ts';
import { useApi, useClock } from '../../kit/portal.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';

/** A user with more repositories near full than this has to begin with these anyway. */
const REPOSITORIES_MAX = 50;

/** The fullest repositories, and how many there are in all. */
export function useRepositories({ jobs: { companyIds } }: Subject) {
  const api = useApi();
  const query = { limit: REPOSITORIES_MAX };
  return useQuery({
    queryKey: ['dashboard', 'repositories', companyIds],
    queryFn: ({ signal }) =>
      api.request(listRepositories, { query: companyIds === undefined ? query : { ...query, companyIds } }, signal),
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
