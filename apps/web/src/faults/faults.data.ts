import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getFault, listCauses, listFaults } from '@keepwatch/contract/faults/faults';
import { type FaultViewer, listFaultViewers } from '@keepwatch/contract/faults/viewers';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { STATUS } from '../entities/daily-checks.ts';
import { type QueueFilters, queueFilters } from '../entities/queue.ts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useLive } from '../kit/live/use-live.ts';
import { useApi } from '../kit/portal.tsx';
import { type QueueRow, rowOfCause, rowOfFault } from './queue-row.ts';

export const KEY = ['faults'];
/** A screen shows about 20. */
export const PAGE_ROWS = 50;
/** Who leaves without a word is seen to be gone after a while. */
const VIEWERS_AGAIN_MS = 20_000;
const VIEWERS_KEY = [...KEY, 'viewers'];

/** What the server is asked. */
export type FaultFilter = ReturnType<typeof queueFilters.query>;

/** `none`: the order of the queue, the worst first. */
export const SORTS = ['none', ...ordersOf(listFaults)] as const;
export type FaultSort = OrderOf<typeof listFaults> | 'none';

/** What the list is of: it names the list in the cache, too. */
export interface QueueQuery {
  filter: FaultFilter;
  sort: FaultSort;
  /** Each fault on a line of its own. */
  isSingle: boolean;
}

/** Of one cause every fault is shown. */
export function queueQueryOf(filters: QueueFilters, sort: FaultSort): QueueQuery {
  return { filter: queueFilters.query(filters), sort, isSingle: filters.single || filters.cause !== '' };
}

export function listKey(query: QueueQuery) {
  return [...KEY, 'list', query];
}

/** A page of the queue, by cause or each fault on its own. */
export function useLoadQueue() {
  const api = useApi();
  return async (
    { filter, sort, isSingle }: QueueQuery,
    place: { limit: number; offset: number },
    signal?: AbortSignal,
  ) => {
    const query = { ...place, filter, ...(sort === 'none' ? {} : { sort }) };
    if (!isSingle) {
      const { count, data } = await api.request(listCauses, { query }, signal);
      return { count, data: data.map(rowOfCause) };
    }
    const { count, data } = await api.request(listFaults, { query }, signal);
    return { count, data: data.map(rowOfFault) };
  };
}

export function useQueue(query: QueueQuery): Pages<QueueRow> {
  const load = useLoadQueue();
  return usePages({
    queryKey: listKey(query),
    load: (place, signal) => load(query, place, signal),
    pageRows: PAGE_ROWS,
  });
}

/** How many faults there are of what is asked, without reading them; `undefined` until it is known. */
export function useFaultCount(filter: FaultFilter, isAsked = true): number | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...KEY, 'count', filter],
    queryFn: ({ signal }) => api.request(listFaults, { query: { limit: 1, filter } }, signal),
    enabled: isAsked,
  });
  return data?.count;
}

/** How many jobs of what is asked run at this moment: there is nothing to do with them. */
export function useRunningCount({ companyIds, source, managed }: FaultFilter): number | undefined {
  const api = useApi();
  const { state, ignored, latest } = STATUS;
  const filter = { companyIds, source, managed, state, ignored, latest, type: ['Running' as const], anomaly: true };
  const { data } = useQuery({
    queryKey: [...KEY, 'running', { companyIds, source, managed }],
    queryFn: ({ signal }) => api.request(listJobExecutions, { query: { limit: 1, filter } }, signal),
  });
  return data?.count;
}

function faultQuery(api: ReturnType<typeof useApi>, id: string) {
  return {
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }: { signal: AbortSignal }) => api.request(getFault, { params: { id } }, signal),
    retry: false,
  };
}

/** One fault with its runs and notes; `null`: none is asked for. */
export function useFault(id: string | null) {
  return useQuery({ ...faultQuery(useApi(), id ?? ''), enabled: id !== null });
}

/** Reads the fault that will probably be opened next, so that going on takes no wait. */
export function usePrefetchFault(): (id: string) => void {
  const api = useApi();
  const queries = useQueryClient();
  return (id) => void queries.prefetchQuery({ ...faultQuery(api, id), staleTime: 10_000 });
}

const NO_VIEWERS: readonly FaultViewer[] = [];

/** Who has which fault open, at once when that changes; `undefined` until it is known. Where it cannot be read, work goes on. */
export function useFaultViewers(): readonly FaultViewer[] | undefined {
  const api = useApi();
  useLive('fault-viewers.changed', VIEWERS_KEY);
  const { data, error } = useQuery({
    queryKey: VIEWERS_KEY,
    queryFn: ({ signal }) => api.request(listFaultViewers, {}, signal),
    refetchInterval: VIEWERS_AGAIN_MS,
  });
  return data?.data ?? (error === null ? undefined : NO_VIEWERS);
}
