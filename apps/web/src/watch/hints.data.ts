import { createHint, type Hint, listHints } from '@keepwatch/contract/watch/hints';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
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
  });
}

export type HintFields = CallRequest<typeof createHint>['body'];

/** Adds a hint. Why one is refused is said in its form. */
export function useCreateHint() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: HintFields) => api.request(createHint, { body }),
    onSuccess: ({ data }) => toasts.success(`The hint ${data.title} has been added.`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
