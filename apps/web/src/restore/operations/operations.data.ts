import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import {
  cancelRestoreOperation,
  listRestoreOperationItems,
  listRestoreOperations,
  readRestoreOperation,
} from '@keepwatch/contract/restore/sessions';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import type { RestoreRequest, RestoreWish } from '../explorer/application.ts';
import { RESTORE_KEY } from '../points/points.data.ts';

export const OPERATIONS_KEY = [...RESTORE_KEY, 'operations'];
/** How often one that runs is read again. */
const PROGRESS_MS = 1_000;

export type OperationItem = CallReply<typeof listRestoreOperationItems>['data'][number];

export function hasEnded({ state }: Pick<RestoreOperation, 'state'>): boolean {
  return state !== 'Queued' && state !== 'Running';
}

/** Whether something is written at Microsoft, or would be. */
export function writes({ restored, replaced, copied, containers }: RestoreOperation): boolean {
  return restored + replaced + copied + containers > 0;
}

/** Begins restores, or their plans, one after another. Those that began before one was refused go on. */
export function useBeginRestores(sessionId: string) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({
      requests,
      wish,
    }: {
      requests: readonly RestoreRequest[];
      wish: Omit<RestoreWish, 'pathName'>;
    }) => {
      const begun: RestoreOperation[] = [];
      const refused: { name: string; message: string }[] = [];
      for (const { name, start } of requests) {
        try {
          begun.push(await start(api, sessionId, { ...wish, pathName: name }));
        } catch (error) {
          if (begun.length === 0 && requests.length === 1) throw error;
          refused.push({ name, message: messageOf(error) });
        }
      }
      return { begun, refused };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [...OPERATIONS_KEY, 'list'] }),
  });
}

/** Restores as they are now, read again until they have ended. */
export function useOperations(begun: readonly RestoreOperation[]): { operations: RestoreOperation[]; error: unknown } {
  const api = useApi();
  const results = useQueries({
    queries: begun.map((operation) => ({
      queryKey: [...OPERATIONS_KEY, 'one', operation.id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await api.request(readRestoreOperation, { params: { operationId: operation.id } }, signal)).data,
      initialData: operation,
      initialDataUpdatedAt: 0,
      refetchInterval: ({ state: { data } }: { state: { data: RestoreOperation | undefined } }) =>
        data === undefined || hasEnded(data) ? (false as const) : PROGRESS_MS,
    })),
  });
  const operations = results.map(({ data }, index) => data ?? begun[index]).filter((one) => one !== undefined);
  return { operations, error: results.find(({ error }) => error !== null)?.error ?? null };
}

/** Restores of the user, newest first. */
export function useOperationList(): Pages<RestoreOperation> {
  const api = useApi();
  return usePages({
    queryKey: [...OPERATIONS_KEY, 'list'],
    load: (place, signal) => api.request(listRestoreOperations, { query: place }, signal),
  });
}

/** One restore; none without an id. */
export function useOperation(operationId: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...OPERATIONS_KEY, 'one', operationId],
    queryFn: async ({ signal }) => (await api.request(readRestoreOperation, { params: { operationId } }, signal)).data,
    enabled: operationId !== '',
    refetchInterval: ({ state: { data } }) => (data === undefined || hasEnded(data) ? false : PROGRESS_MS),
  });
}

export function useCancelOperation() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (operationId: string) =>
      api.request(cancelRestoreOperation, { params: { operationId }, body: { action: 'cancel' } }),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: OPERATIONS_KEY }),
  });
}

/** Of a plan each item, of a restore those that did not come back as asked. */
export function useOperationItems({ id, isPlan, state }: RestoreOperation, outcome: string): Pages<OperationItem> {
  const api = useApi();
  return usePages({
    queryKey: [...OPERATIONS_KEY, 'items', id, isPlan, state, outcome],
    load: (place, signal) =>
      api.request(
        listRestoreOperationItems,
        { params: { operationId: id }, query: { ...place, ...(outcome === '' ? {} : { outcome }) } },
        signal,
      ),
  });
}

const REPORT_PAGE = 1_000;

/** Every line of a report, to be saved as a file. */
export function useReport() {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async (operationId: string) => {
      const lines: OperationItem[] = [];
      for (let offset = 0; ; offset += REPORT_PAGE) {
        const { count, data } = await api.request(listRestoreOperationItems, {
          params: { operationId },
          query: { limit: REPORT_PAGE, offset },
        });
        lines.push(...data);
        if (data.length === 0 || lines.length >= count) return lines;
      }
    },
    onError: (error) => toasts.error(messageOf(error)),
  });
}
