import { listThread } from '@keepwatch/contract/restore/threads';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../kit/portal.tsx';
import { RESTORE_KEY } from '../points/points.data.ts';
import type { Looked } from './item-preview.data.ts';

const MESSAGES_A_PAGE = 20;

/** What was said around a message, a page at a time as it is asked for. Each page is recorded: none is read again while it is open. */
export function useThread(sessionId: string, { objectId, itemId }: Looked) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: [...RESTORE_KEY, 'thread', sessionId, objectId, itemId],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.request(
        listThread,
        {
          params: { restoreSessionId: sessionId },
          query: { objectId, itemId, limit: MESSAGES_A_PAGE, ...(pageParam === null ? {} : { after: pageParam }) },
        },
        signal,
      ),
    getNextPageParam: ({ _next }) => _next,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
