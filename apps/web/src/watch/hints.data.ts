import { type Hint, listHints } from '@keepwatch/contract/watch/hints';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi } from '../kit/portal.tsx';

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
