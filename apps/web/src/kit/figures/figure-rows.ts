import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { Target } from '../place.ts';

/** One of what a figure counts. */
export interface FigureRow {
  key: string;
  name: string;
  /** What it belongs to, what it is. */
  about: readonly (string | null)[];
  /** Where its name leads. */
  to?: Target | undefined;
  /** What to do about it. */
  next?: { text: string; to: Target } | undefined;
}

/** Which of them are asked for. */
export interface FigurePlace {
  limit: number;
  offset: number;
}

export interface FigurePage {
  count: number;
  rows: FigureRow[];
}

const PAGE_ROWS = 50;

/** What a figure counts, more of it on demand. */
export function useFigureRows(
  queryKey: QueryKey,
  load: (place: FigurePlace, signal: AbortSignal) => Promise<FigurePage>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ limit: PAGE_ROWS, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((rows, page) => rows + page.rows.length, 0);
      return last.rows.length > 0 && loaded < last.count ? loaded : undefined;
    },
    select: ({ pages }) => ({ count: pages.at(-1)?.count ?? 0, rows: pages.flatMap((page) => page.rows) }),
  });
}
