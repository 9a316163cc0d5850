import { type FailureOrder, rankDuration, rankFailures, rankTransferred } from '@keepwatch/contract/insights/insights';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

/** Which jobs lead, and in what. */
export type RankingKind = 'failures' | 'duration' | 'transferred';

const CALLS = { duration: rankDuration, transferred: rankTransferred } as const;

export const RANKED_MAX = 8;

/** The first jobs of a ranking; failures are ranked by their rate or their count. */
export function useRanking(kind: RankingKind, { days, jobs }: Subject, by: FailureOrder) {
  const api = useApi();
  const query = { ...days, filter: jobs, limit: RANKED_MAX };
  return useQuery({
    queryKey: ['dashboard', 'ranking', kind, kind === 'failures' ? by : '', days, jobs],
    queryFn: ({ signal }) =>
      kind === 'failures'
        ? api.request(rankFailures, { query: { ...query, by } }, signal)
        : api.request(CALLS[kind], { query }, signal),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
  });
}
