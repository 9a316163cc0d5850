import { listUserLogs, type UserLog } from '@keepwatch/contract/audit/user-logs';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { useQuery } from '@tanstack/react-query';
import { type UserLogsFilters, userLogsFilters } from '../entities/user-logs.ts';
import { notFound } from '../kit/api.ts';
import { browserClock } from '../kit/backup-clock.ts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { dateRangeOf } from '../kit/date-range/date-range.ts';
import { useApi } from '../kit/portal.tsx';

/** What the filters ask of the server at the moment `now`. */
export function userLogQueryOf(filters: UserLogsFilters, now: Date) {
  const range = dateRangeOf(filters.date, now, browserClock());
  if (range === null) return userLogsFilters.query(filters);
  return { ...userLogsFilters.query(filters), from: range.from, to: range.to };
}

export type UserLogSort = NonNullable<CallInput<typeof listUserLogs>['query']['sort']>;

/** The entries that the query leaves, in the order asked for, a page at a time. */
export function useUserLogs(query: ReturnType<typeof userLogQueryOf>, sort: UserLogSort): Pages<UserLog> {
  const api = useApi();
  return usePages({
    queryKey: ['user-logs', 'list', { ...query, sort }],
    load: (place, signal) => api.request(listUserLogs, { query: { ...query, ...place, sort } }, signal),
  });
}

/** The newest entry of any day by users, or about targets; nothing is asked where none are given. */
export function useNewestLog(
  of: { userIds: readonly string[] } | { targetIds: readonly string[] },
): UserLog | undefined {
  const api = useApi();
  const ids = 'userIds' in of ? { userIds: [...of.userIds] } : { targetIds: [...of.targetIds] };
  const { data } = useQuery({
    queryKey: ['user-logs', 'newest', ids],
    queryFn: async ({ signal }) =>
      (await api.request(listUserLogs, { query: { ...ids, limit: 1 } }, signal)).data[0] ?? null,
    enabled: Object.values(ids).flat().length === 1,
  });
  return data ?? undefined;
}

/** One entry. */
export function useUserLog(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['user-logs', 'one', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.request(listUserLogs, { query: { ids: [id] } }, signal);
      if (data[0] === undefined) throw notFound('entry');
      return data[0];
    },
  });
}
