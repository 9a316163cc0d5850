import { listUnmatchedRuns, type unmatchedRun } from '@keepwatch/contract/sources/sources';
import type * as z from 'zod/mini';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi } from '../kit/portal.tsx';

export type UnmatchedRun = z.infer<typeof unmatchedRun>;

/** Runs of the consoles' history that could not be put on a job without guessing. */
export function useUnmatchedRuns(): Pages<UnmatchedRun> {
  const api = useApi();
  return usePages({
    queryKey: ['sources', 'unmatched-runs'],
    load: (place, signal) => api.request(listUnmatchedRuns, { query: place }, signal),
  });
}
