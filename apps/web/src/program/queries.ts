import { CallFailed } from '@keepwatch/contract/wire/client';
import { QueryClient } from '@tanstack/react-query';

const RETRIES_MAX = 2;

/** How long what was read counts as fresh; live events make it stale sooner. */
const FRESH_MS = 30_000;

/**
 * Reads are retried if the server did not answer or failed, never if it refused. Writes are tried once. All calls are
 * made even if the browser reports that it is offline: the portal may be in the local network, and if it is not, the
 * user gets an error instead of a wait.
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
