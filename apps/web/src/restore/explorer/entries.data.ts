import { useInfiniteQuery, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import type { Api } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { useApi } from '../../kit/portal.tsx';
import { isSessionEnded, RESTORE_KEY } from '../points/points.data.ts';
import type { EntryPage, EntrySort, Range, Reading, RestoreApplication, Source } from './application.ts';
import { type Entry, isContainer, keyOf } from './entry.ts';

/** Rows of a page. */
const PAGE_ROWS = 100;
/** So many rows before the end of what is loaded the next page is asked for. */
const ROWS_AHEAD = 30;

/** Where the lists of a node are read on: in which of them, and from which row. */
interface Position {
  source: number;
  range: Range;
}

interface Part {
  entries: Entry[];
  next: Position | null;
}

const START: Position = { source: 0, range: { limit: PAGE_ROWS, offset: 0 } };

/** Reads a page of the lists of a node, which follow one another. A short list is followed by the next one at once. */
export async function readPart(
  api: Api,
  sources: readonly Source[],
  from: Position,
  reading: Omit<Reading, 'range'>,
  signal: AbortSignal,
): Promise<Part> {
  const entries: Entry[] = [];
  let at: Position | null = from;
  while (at !== null && entries.length < PAGE_ROWS) {
    const source: Source | undefined = sources[at.source];
    if (source === undefined) return { entries, next: null };
    const page: EntryPage = await source.read(api, { ...reading, range: at.range }, signal);
    entries.push(...page.entries);
    const isLast: boolean = at.source + 1 >= sources.length;
    at = page.next !== null ? { ...at, range: page.next } : isLast ? null : { ...START, source: at.source + 1 };
  }
  return { entries, next: at };
}

export interface Place {
  application: RestoreApplication;
  sessionId: string;
  node: Entry | null;
  search: string;
  sort: EntrySort;
  /** Opens the session again where it has ended. */
  onEnded: () => void;
}

/** What is in a node, read a page at a time as it is scrolled to. */
export function useEntries({ application, sessionId, node, search, sort, onEnded }: Place): Pages<Entry> {
  const api = useApi();
  const listKey = JSON.stringify([application.sessionType, sessionId, node === null ? '' : keyOf(node), search, sort]);
  const read = useInfiniteQuery({
    queryKey: [...RESTORE_KEY, 'entries', listKey],
    initialPageParam: START,
    queryFn: ({ pageParam, signal }) =>
      watching(onEnded, () =>
        readPart(api, application.sourcesOf(node), pageParam, { sessionId, sort, search }, signal),
      ),
    getNextPageParam: (part: Part) => part.next,
  });
  return usePagesOf(read, listKey, (part) => part.entries);
}

interface InfiniteRead<P> {
  data: { pages: readonly P[] } | undefined;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

/** A list of unknown length as rows of a table: one row more than is loaded, as long as there is more. */
export function usePagesOf<P, Row>(
  read: InfiniteRead<P>,
  listKey: string,
  rowsOf: (page: P) => readonly Row[],
): Pages<Row> {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = read;
  const latest = useRef(rowsOf);
  const rows = useMemo(() => data?.pages.flatMap((page) => [...latest.current(page)]), [data]);
  const loaded = rows?.length ?? 0;
  const mayRead = hasNextPage && !isFetchingNextPage && error === null;
  const show = useCallback(
    (_first: number, last: number) => {
      if (mayRead && last >= loaded - ROWS_AHEAD) void fetchNextPage();
    },
    [mayRead, loaded, fetchNextPage],
  );
  return useMemo(
    () => ({
      count: rows === undefined ? null : loaded + (hasNextPage ? 1 : 0),
      rowAt: (index) => rows?.[index],
      show,
      listKey,
      isStale: false,
      error,
      retry: () => void (rows === undefined ? refetch() : fetchNextPage()),
    }),
    [rows, loaded, hasNextPage, show, listKey, error, refetch, fetchNextPage],
  );
}

/** Reads in a session; one that has ended is opened again, and what needs it is then read in the new one. */
async function watching<T>(onEnded: () => void, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isSessionEnded(error)) onEnded();
    throw error;
  }
}

/** What of a node the tree shows, and how far it is read. */
export interface Level {
  data: Part | undefined;
  error: unknown;
  retry: () => void;
  more: () => void;
}

const ROOT_KEY = '';

/** The lists of the tree that are unfolded, by the key of their node; the top is there always. */
export function useLevels(place: Omit<Place, 'node' | 'sort'>, unfolded: readonly Entry[]): ReadonlyMap<string, Level> {
  const { application, sessionId, search, onEnded } = place;
  const api = useApi();
  const queries = useQueryClient();
  const reading = useRef(new Set<string>());
  const nodes: (Entry | null)[] = [null, ...unfolded];
  const read = (node: Entry | null, from: Position, signal: AbortSignal) =>
    watching(onEnded, () =>
      readPart(
        api,
        treeSources(application, node),
        from,
        { sessionId, sort: 'name', search: node === null ? search : '' },
        signal,
      ),
    );
  const keyFor = (node: Entry | null) =>
    [...RESTORE_KEY, 'level', sessionId, ...(node === null ? ['', search] : [keyOf(node)])] as const;
  const results = useQueries({
    queries: nodes.map((node) => ({
      queryKey: keyFor(node),
      queryFn: ({ signal }: { signal: AbortSignal }) => read(node, START, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const more = async (node: Entry | null, part: Part) => {
    const key = keyFor(node);
    const name = key.join(' ');
    if (part.next === null || reading.current.has(name)) return;
    reading.current.add(name);
    try {
      const next = await read(node, part.next, new AbortController().signal);
      queries.setQueryData<Part>(key, { entries: [...part.entries, ...next.entries], next: next.next });
    } catch {
      // It is asked for again when its row is scrolled to again.
    } finally {
      reading.current.delete(name);
    }
  };
  return new Map(
    nodes.map((node, index): [string, Level] => {
      const result = results[index];
      const data = result?.data;
      return [
        node === null ? ROOT_KEY : keyOf(node),
        {
          data: data === undefined ? undefined : { ...data, entries: data.entries.filter(isContainer) },
          error: result?.error ?? null,
          retry: () => void result?.refetch(),
          more: () => void (data !== undefined && more(node, data)),
        },
      ];
    }),
  );
}

/** Items are not in the tree. */
export function treeSources(application: RestoreApplication, node: Entry | null): readonly Source[] {
  return application.sourcesOf(node).filter(({ key }) => key !== 'items');
}
