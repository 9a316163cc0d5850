import { type CompanyRow, getCompany, listCompanies } from '@keepwatch/contract/companies/companies';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi } from '../kit/portal.tsx';

export type CompanySort = OrderOf<typeof listCompanies>;
export const COMPANY_SORTS = ordersOf(listCompanies);

/** Which companies: those of a name, with jobs, of some sources, of some ids. */
export type CompanyFilter = Pick<
  NonNullable<CallRequest<typeof listCompanies>['query']>,
  'search' | 'withJobs' | 'source' | 'ids'
>;

const WITHOUT_COMPANY_KEY = ['companies', 'without-company'];

/** The companies of a filter, in the order asked for, a page at a time. */
export function useCompanies(filter: CompanyFilter, sort: CompanySort): Pages<CompanyRow> {
  const api = useApi();
  const queries = useQueryClient();
  return usePages({
    queryKey: ['companies', 'list', { ...filter, sort }],
    load: async (place, signal) => {
      const page = await api.request(listCompanies, { query: { ...filter, ...place, sort } }, signal);
      queries.setQueryData(WITHOUT_COMPANY_KEY, page.withoutCompany ?? null);
      return page;
    },
  });
}

/** The jobs of no company, as the list of companies came with them. */
export function useWithoutCompany() {
  return useQuery<CallReply<typeof listCompanies>['withoutCompany'] | null>({
    queryKey: WITHOUT_COMPANY_KEY,
    queryFn: skipToken,
  }).data;
}

/** One company. */
export function useCompany(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['companies', 'one', id],
    queryFn: ({ signal }) => api.request(getCompany, { params: { id } }, signal),
    select: (reply) => reply.data,
  });
}
