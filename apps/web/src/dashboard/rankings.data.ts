import { rankDuration, rankFailures, rankTransferred } from '@keepwatch/contract/monitoring/insight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

/** Which jobs lead, and in what. */
export type RankingKind = 'failures' | 'duration' | 'transferred';

const CALLS = { failures: rankFailures, duration: rankDuration, transferred: rankTransferred } as const;

export const RANKED_MAX = 8;

/** The first jobs of a ranking. */
export function useRanking(kind: RankingKind, { days, jobs }: Subject) {
  const api = useApi();
  return useQuery({
    queryKey: ['dashboard', 'ranking', kind, days, jobs],
    queryFn: ({ signal }) => api.request(CALLS[kind], { query: { ...days, filter: jobs, limit: RANKED_MAX } }, signal),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
  });
}
