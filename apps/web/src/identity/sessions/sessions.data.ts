import { listOwnLogs, type UserLog } from '@keepwatch/contract/audit/user-logs';
import {
  listOwnSessions,
  type OwnSession,
  revokeOtherSessions,
  revokeOwnSession,
} from '@keepwatch/contract/identity/own-sessions';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { type Pages, queriedList } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { useApi, useToasts, useUser } from '../../kit/portal.tsx';

const KEY = ['profile', 'sessions'];

/** Where the user is signed in. */
export function useOwnSessions(): Pages<OwnSession> {
  const api = useApi();
  const { id } = useUser();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(listOwnSessions, { params: { id } }, signal),
  });
  return queriedList(query, query.data?.data);
}

/** Ends one session. */
export function useRevokeSession() {
  const api = useApi();
  const { id } = useUser();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) => api.request(revokeOwnSession, { params: { id, sessionId } }),
    onSuccess: () => toasts.success('The session has ended.'),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Ends all others. */
export function useRevokeOthers() {
  const api = useApi();
  const { id } = useUser();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(revokeOtherSessions, { params: { id } }),
    onSuccess: ({ data: { ended } }) =>
      toasts.success(`${formatCounted(ended, 'other session', 'other sessions')} ended.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** What the user did, and what administrators did as the user. */
export function useOwnLogs(): Pages<UserLog> {
  const api = useApi();
  const { id } = useUser();
  return usePages({
    queryKey: ['profile', 'logs'],
    load: (place, signal) => api.request(listOwnLogs, { params: { id }, query: place }, signal),
  });
}
