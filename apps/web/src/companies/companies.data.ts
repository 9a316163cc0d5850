import { type CompanyRow, getCompany, listCompanies } from '@keepwatch/contract/directory/companies';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useQuery } from '@tanstack/react-query';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi } from '../kit/portal.tsx';

export type CompanySort = NonNullable<NonNullable<CallRequest<typeof listCompanies>['query']>['sort']>;

const FIELDS = ['name', 'jobs', 'failed', 'warning', 'didntRun', 'pending', 'lastRunAt', 'backupSizeBytes'] as const;

/** The orders that the server knows, in both directions. */
export const COMPANY_SORTS: readonly CompanySort[] = FIELDS.flatMap((field) => [field, `-${field}` as const]);

/** The companies whose name has the text in it, in the order asked for, a page at a time. */
export function useCompanies(search: string, sort: CompanySort): Pages<CompanyRow> {
  const api = useApi();
  const filter = search === '' ? {} : { search };
  return usePages({
    queryKey: ['companies', 'list', { search, sort }],
    load: (place, signal) => api.request(listCompanies, { query: { ...filter, ...place, sort } }, signal),
  });
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
