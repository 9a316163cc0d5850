import { CallFailed } from '@keepwatch/contract/wire/client';
import { QueryClient } from '@tanstack/react-query';

const RETRIES_MAX = 2;

/** How long what was read counts as fresh; live events make it stale sooner. */
const FRESH_MS = 30_000;

/**
 * Reads are tried again where the server did not answer or broke, never where it refused. Writes are tried once. All are
 * made also where the browser takes itself to be offline: the portal may stand in the same house, and where it cannot be
 * reached the person is told so instead of waiting.
 */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

function isPassing(error: unknown): boolean {
  return error instanceof CallFailed && (error.status === 0 || error.status === 429 || error.status >= 500);
}
