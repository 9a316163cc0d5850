import { getJobExecution, type JobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getLastSync } from '@keepwatch/contract/sources/sources';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi } from '../kit/portal.tsx';
import type { RunQuery } from './filters.ts';

export const KEY = ['executions'];
/** A screen shows about 40. The rows are wide: fewer come sooner, and the next are read as they are scrolled to. */
export const PAGE_ROWS = 50;

/** The newest first, unless another order was chosen. */
export const DEFAULT_SORT = '-startedAt';
export type ExecutionSort = OrderOf<typeof listJobExecutions>;
export const SORTS = ordersOf(listJobExecutions);

export function listKey(runQuery: RunQuery, sort: ExecutionSort) {
  return [...KEY, 'list', runQuery, sort];
}

/** The runs, read as they are scrolled to. They stay as they are until the user asks for new ones. */
export function useExecutions(runQuery: RunQuery, sort: ExecutionSort): Pages<JobExecution> {
  const api = useApi();
  return usePages({
    queryKey: listKey(runQuery, sort),
    load: (place, signal) => api.request(listJobExecutions, { query: { ...place, ...runQuery, sort } }, signal),
    pageRows: PAGE_ROWS,
  });
}

/** How many runs there are, without reading them. It is asked after the list, and only if the list does not include it. */
export function useRunCount(runQuery: RunQuery, isAsked: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: [...KEY, 'count', runQuery],
    queryFn: ({ signal }) => api.request(listJobExecutions, { query: { limit: 1, ...runQuery } }, signal),
    enabled: isAsked,
  });
}

/** One run with its log and its job's last runs. */
export function useExecution(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }) => api.request(getJobExecution, { params: { id } }, signal),
  });
}

/** Reads a run that will probably be opened next, so that going on takes no wait. */
export function usePrefetchExecution(): (id: string) => void {
  const api = useApi();
  const queries = useQueryClient();
  return (id) =>
    void queries.prefetchQuery({
      queryKey: [...KEY, 'one', id],
      queryFn: ({ signal }) => api.request(getJobExecution, { params: { id } }, signal),
    });
}

/** Whether any source has ever been read: an empty list means something else before that. */
export function useHasSource(): boolean {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...KEY, 'last-sync'],
    queryFn: ({ signal }) => api.request(getLastSync, {}, signal),
  });
  return data?.status !== 'NEVER';
}
