import { type QueryClient, type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { Pages } from './pages.ts';

/** Rows a page has. Large enough that fast scrolling seldom meets an empty place, small enough to come at once. */
export const PAGE_ROWS = 100;

interface ListPage<Row> {
  count: number;
  data: readonly Row[];
}

interface ListOptions<Row> {
  /** Names the list, filter and order included; the pages lie in the cache below it. */
  queryKey: QueryKey;
  load: (place: { limit: number; offset: number }, signal: AbortSignal) => Promise<ListPage<Row>>;
  /** Rows a page has; more for rows that are small. The same for every use of one `queryKey`. */
  pageRows?: number;
}

/**
 * A list of the server, loaded a page at a time as it is scrolled to, in any order. Pages off screen stay in the cache,
 * and when the list is invalidated only those on screen are read again.
 */
export function usePages<Row>({ queryKey, load, pageRows = PAGE_ROWS }: ListOptions<Row>): Pages<Row> {
  const queries = useQueryClient();
  const listKey = JSON.stringify(queryKey);
  const [shown, setShown] = useState({ listKey, first: 0, last: 0 });
  const { first, last } = shown.listKey === listKey ? shown : { first: 0, last: 0 };
  const results = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, place) => ({
      queryKey: [...queryKey, { page: first + place }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        load({ limit: pageRows, offset: (first + place) * pageRows }, signal),
    })),
  });
  const count = results.find((result) => result.data !== undefined)?.data?.count ?? cachedCount(queries, queryKey);
  const loadedAt = results.map((result) => result.dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `loadedAt` changes whenever the cache has other rows
  const current = useMemo<Pages<Row> | null>(() => {
    if (count === null) return null;
    return {
      count,
      rowAt: (index) => rowOf<Row>(queries, queryKey, pageRows, index),
      show: (firstIndex, lastIndex) =>
        setShown((before) =>
          shownAfter(before, listKey, Math.floor(firstIndex / pageRows), Math.floor(lastIndex / pageRows)),
        ),
      listKey,
      isStale: false,
      error: null,
      retry: () => void queries.refetchQueries({ queryKey, type: 'active' }),
    };
  }, [queries, listKey, count, loadedAt]);
  const error = results.find((result) => result.error !== null)?.error ?? null;
  return useHeld(current, error, () => void queries.refetchQueries({ queryKey, type: 'active' }));
}

/** Until a changed list is there, the one before stays: nothing jumps while a filter is being set. */
function useHeld<Row>(current: Pages<Row> | null, error: unknown, retry: () => void): Pages<Row> {
  const before = useRef<Pages<Row> | null>(null);
  if (current !== null) before.current = current;
  if (current !== null) return error === null ? current : { ...current, error };
  const held = error === null ? before.current : null;
  return {
    count: held?.count ?? null,
    rowAt: held?.rowAt ?? (() => undefined),
    show: () => undefined,
    listKey: held?.listKey ?? '',
    isStale: held !== null,
    error,
    retry,
  };
}

interface Shown {
  listKey: string;
  first: number;
  last: number;
}

function shownAfter(before: Shown, listKey: string, firstPage: number, lastPage: number): Shown {
  const first = Math.max(0, firstPage);
  const last = Math.max(first, lastPage);
  const isSame = before.listKey === listKey && before.first === first && before.last === last;
  return isSame ? before : { listKey, first, last };
}

function rowOf<Row>(queries: QueryClient, queryKey: QueryKey, pageRows: number, index: number): Row | undefined {
  const page = Math.floor(index / pageRows);
  const loaded = queries.getQueryData<ListPage<Row>>([...queryKey, { page }]);
  return loaded?.data[index % pageRows];
}

/** After a jump to a place that is not loaded yet, the length is known from the pages before. */
function cachedCount(queries: QueryClient, queryKey: QueryKey): number | null {
  const loaded = queries.getQueriesData<ListPage<unknown>>({ queryKey });
  return loaded.find(([, page]) => page !== undefined)?.[1]?.count ?? null;
}
