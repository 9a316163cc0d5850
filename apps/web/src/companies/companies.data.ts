import {
  type CompanyDetail,
  type CompanyRow,
  deleteCompany,
  editCompany,
  getCompany,
  listCompanies,
  listConsoleCompanies,
  restoreCompany,
} from '@keepwatch/contract/companies/companies';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { COMPANIES_FILTER_KEY } from '../entities/company-filter.data.ts';
import { messageOf } from '../kit/api.ts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import type { ChoiceSearch } from '../kit/filters/search-choices.tsx';
import { useApi, useToasts } from '../kit/portal.tsx';

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

/** Reads again what shows companies. */
function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all([COMPANIES_FILTER_KEY, ['companies']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** Changes a company. Why a change is refused is said in its form. */
export function useEditCompany(id: string) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (body: CallRequest<typeof editCompany>['body']) => api.request(editCompany, { params: { id }, body }),
    onSuccess: ({ data }) => toasts.success(`The company ${data.name} has been changed.`),
    onSettled: useRefresh(),
  });
}

/** Deletes a company, which can be undone from the message that says so. */
export function useDeleteCompany({ _id: id, name }: CompanyDetail) {
  const api = useApi();
  const toasts = useToasts();
  const refresh = useRefresh();
  const restoring = useMutation({
    mutationFn: () => api.request(restoreCompany, { params: { id } }),
    onSuccess: () => toasts.success(`The company ${name} is back.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: refresh,
  });
  return useMutation({
    mutationFn: (body: CallRequest<typeof deleteCompany>['body']) =>
      api.request(deleteCompany, { params: { id }, body }),
    onSuccess: () =>
      toasts.success(`The company ${name} has been deleted.`, { label: 'Undo', run: () => restoring.mutate() }),
    onSettled: refresh,
  });
}

/** Finds companies in the connected consoles. The value of a choice is the whole company, as JSON. */
export function useConsoleSearch(): (search: string) => ChoiceSearch {
  const api = useApi();
  return (search) => ({
    queryKey: ['companies', 'consoles', search],
    queryFn: async ({ signal }) => {
      const { data, failed } = await api.request(listConsoleCompanies, { query: { name: search } }, signal);
      const choices = data.map((found) => ({
        value: JSON.stringify(found),
        label: found.name,
        detail:
          found.company === null ? found.connectionName : `${found.connectionName}, linked to ${found.company.name}`,
      }));
      const note = failed.map(({ connectionName, message }) => `${connectionName}: ${message}`).join(' ');
      return { count: data.length, choices, note: note === '' ? undefined : note };
    },
  });
}
