import {
  createHint,
  deleteHint,
  editHint,
  HINTS_MAX,
  type Hint,
  listFittingRuns,
  listHints,
} from '@keepwatch/contract/watch/hints';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../kit/api.ts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi, useToasts } from '../kit/portal.tsx';

export const HINT_SORTS = ordersOf(listHints);

const KEY = ['hints'];

/** The hints that a search finds, in the order asked for. */
export function useHints(search: string, sort: OrderOf<typeof listHints>): Pages<Hint> {
  const api = useApi();
  return usePages({
    queryKey: [...KEY, 'list', { search, sort }],
    load: (place, signal) => api.request(listHints, { query: { ...place, search, sort } }, signal),
    // All of them: the address may have any of them open.
    pageRows: HINTS_MAX,
  });
}

/** One hint, for a link that opens one which the list does not have; `null` where it is gone. */
export function useHint(id: string, isEnabled: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: [...KEY, 'one', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.request(listHints, { query: { limit: HINTS_MAX } }, signal);
      return data.find(({ _id }) => _id === id) ?? null;
    },
    enabled: isEnabled,
  });
}

export type HintFields = CallRequest<typeof createHint>['body'];

/** Adds a hint, or replaces that with the id. Why one is refused is said in its form. */
export function useSaveHint(hintId: string | null) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: HintFields) =>
      hintId === null ? api.request(createHint, { body }) : api.request(editHint, { params: { hintId }, body }),
    onSuccess: ({ data }) =>
      toasts.success(`The hint ${data.title} has been ${hintId === null ? 'added' : 'changed'}.`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeleteHint() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id: hintId }: Hint) => api.request(deleteHint, { params: { hintId } }),
    onSuccess: (_, { title }) => toasts.success(`The hint ${title} has been deleted.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** The condition of a hint. */
export type HintCondition = NonNullable<CallRequest<typeof listFittingRuns>['query']>;

/** The runs of the last 30 days that fit a condition; asks for none where it has nothing to look for. */
export function useFittingRuns(condition: HintCondition, isEnabled: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: [...KEY, 'runs', condition],
    queryFn: ({ signal }) => api.request(listFittingRuns, { query: condition }, signal),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
}
