import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ChoiceSearch } from '../kit/filters/search-choices.tsx';
import { useApi } from '../kit/portal.tsx';

export const COMPANIES_FILTER_KEY = ['companies-filter'];
const CHOICES_MAX = 50;

/** Finds the first companies whose name has the text in it. */
export function useCompanySearch(): (search: string) => ChoiceSearch {
  const api = useApi();
  return (search) => ({
    queryKey: [...COMPANIES_FILTER_KEY, { search }],
    queryFn: async ({ signal }) => {
      const { count, data } = await api.request(listReportingCompanies, { query: queryOf(search) }, signal);
      return { count, choices: data.map(({ _id, name }) => ({ value: _id, label: name })) };
    },
  });
}

/** How many companies there are, and the first two of them: whether there is none, or only one. */
export function useFirstCompanies() {
  const api = useApi();
  return useQuery({
    queryKey: [...COMPANIES_FILTER_KEY, 'first'],
    queryFn: ({ signal }) => api.request(listReportingCompanies, { query: { limit: 2, sort: 'name' } }, signal),
  });
}

/** The names of the companies of these ids; of one that is not read yet, an ellipsis. */
export function useCompanyNames(ids: readonly string[]): (id: string) => string {
  const { data } = useCompaniesOf(ids);
  return (id) => data?.data.find((company) => company._id === id)?.name ?? '…';
}

/** Whether one of these companies is not there, as far as the user may see. */
export function useIsCompanyMissing(ids: readonly string[]): boolean {
  const { data, isPlaceholderData } = useCompaniesOf(ids);
  if (ids.length === 0 || data === undefined || isPlaceholderData) return false;
  return ids.some((id) => !data.data.some((company) => company._id === id.toLowerCase()));
}

function useCompaniesOf(ids: readonly string[]) {
  const api = useApi();
  return useQuery({
    queryKey: [...COMPANIES_FILTER_KEY, { ids }],
    queryFn: ({ signal }) =>
      api.request(listReportingCompanies, { query: { ids: [...ids], limit: ids.length } }, signal),
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  });
}

function queryOf(search: string) {
  const first = { limit: CHOICES_MAX, sort: 'name' } as const;
  return search === '' ? first : { ...first, search };
}
