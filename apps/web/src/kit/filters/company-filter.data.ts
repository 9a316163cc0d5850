import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../portal.tsx';

const KEY = ['companies-filter'];
const CHOICES_MAX = 50;

/** The first companies whose name has the text in it. */
export function useCompanyChoices(search: string, isOn: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: [...KEY, { search }],
    queryFn: ({ signal }) => api.request(listReportingCompanies, { query: queryOf(search) }, signal),
    placeholderData: keepPreviousData,
    enabled: isOn,
  });
}

/** The companies of these ids, for their names. */
export function useCompaniesById(ids: readonly string[]) {
  const api = useApi();
  return useQuery({
    queryKey: [...KEY, { ids }],
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
