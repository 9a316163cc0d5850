import { type QueryClient, type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { NO_LIST, type Pages } from './pages.ts';

/** Rows a page has unless a list says another number. Large enough that fast scrolling seldom meets an empty place, small enough to come at once. */
const PAGE_ROWS = 100;

interface ListPage<Row> {
  count: number;
  data: readonly Row[];
}

interface ListOptions<Row> {
  /** Names the list, filter and order included; its pages are cached below this key. */
  queryKey: QueryKey;
  load: (place: { limit: number; offset: number }, signal: AbortSignal) => Promise<ListPage<Row>>;
  /** Rows a page has; more where rows are small. The same wherever this `queryKey` is used. */
  pageRows?: number;
}

/**
 * A list of the server, loaded a page at a time as it is scrolled to, in any order. Pages off screen stay in the cache,
 * and when the list is invalidated only those on screen are read again.
 */
export function usePages<Row>({ queryKey, load, pageRows = PAGE_ROWS }: ListOptions<Row>): Pages<Row> {
  const queries = useQueryClient();
  const listKey = JSON.stringify(queryKey);
  const [shown, setShown] = useState<Shown>({ listKey, first: 0, last: 0 });
  const { first, last } = shown.listKey === listKey ? shown : { first: 0, last: 0 };
  const results = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, place) => ({
      queryKey: [...queryKey, { page: first + place }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        load({ limit: pageRows, offset: (first + place) * pageRows }, signal),
    })),
  });
  const retry = () => void queries.refetchQueries({ queryKey, type: 'active' });
  const loadedAt = results.map((result) => result.dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `loadedAt` changes whenever the cache has other rows
  const current = useMemo<Pages<Row> | null>(() => {
    const { count, byPage } = loadedPages<Row>(queries, queryKey);
    if (count === null) return null;
    return {
      count,
      rowAt: (index) => byPage.get(Math.floor(index / pageRows))?.[index % pageRows],
      show: (firstIndex, lastIndex) => {
        const pageOf = (index: number) => Math.max(0, Math.floor(index / pageRows));
        setShown((before) => changed(before, { listKey, first: pageOf(firstIndex), last: pageOf(lastIndex) }));
      },
      listKey,
      isStale: false,
      error: null,
      retry,
    };
  }, [queries, listKey, loadedAt, pageRows]);
  return useHeld(current, results.find((result) => result.error !== null)?.error ?? null, retry);
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
    listKey: held?.listKey ?? NO_LIST,
    isStale: held !== null,
    error,
    retry,
  };
}

interface Shown {
  listKey: string;
  /** Numbers of the first and the last page that is on screen. */
  first: number;
  last: number;
}

/** The same object while the same pages are on screen: nothing is drawn again for a scroll within them. */
function changed(before: Shown, now: Shown): Shown {
  const isSame = before.listKey === now.listKey && before.first === now.first && before.last === now.last;
  return isSame ? before : now;
}

/** The list's pages in the cache, by number; the count is that of the page read last. */
function loadedPages<Row>(queries: QueryClient, queryKey: QueryKey) {
  const byPage = new Map<number, readonly Row[]>();
  let count: number | null = null;
  let newest = 0;
  for (const { queryKey: pageKey, state } of queries.getQueryCache().findAll({ queryKey })) {
    const number = pageNumberOf(pageKey);
    // Only results of `load` are cached under this key.
    const page = state.data as ListPage<Row> | undefined;
    if (page === undefined || number === null) continue;
    byPage.set(number, page.data);
    if (state.dataUpdatedAt >= newest) ({ count } = page);
    newest = Math.max(newest, state.dataUpdatedAt);
  }
  return { count, byPage };
}

function pageNumberOf(pageKey: QueryKey): number | null {
  const last = pageKey.at(-1);
  return typeof last === 'object' && last !== null && 'page' in last && typeof last.page === 'number'
    ? last.page
    : null;
}
