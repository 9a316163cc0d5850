import { CallFailed } from '@keepwatch/contract/wire/client';
import { QueryClient } from '@tanstack/react-query';

const RETRIES_MAX = 2;

/** How long what was read counts as fresh; live events make it stale sooner. */
const FRESH_MS = 30_000;

/** Reads are tried again where the server did not answer or broke, never where it refused. Writes are tried once. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
      },
    },
  });
}

function isPassing(error: unknown): boolean {
  return error instanceof CallFailed && (error.status === 0 || error.status === 429 || error.status >= 500);
}
