import { type DeletedCompany, listDeletedCompanies, restoreCompany } from '@keepwatch/contract/companies/companies';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { COMPANIES_FILTER_KEY } from '../entities/company-filter.data.ts';
import { messageOf } from '../kit/api.ts';
import { useApi, useToasts } from '../kit/portal.tsx';

/** How many are shown: of more the name is searched for. */
const SHOWN_MAX = 50;

/** The companies that were deleted, by a part of the name. */
export function useDeletedCompanies(search: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['companies', 'deleted', search],
    queryFn: ({ signal }) => api.request(listDeletedCompanies, { query: { search, limit: SHOWN_MAX } }, signal),
    placeholderData: (before) => before,
  });
}

/** Restores a deleted company. */
export function useRestoreCompany() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id: id }: DeletedCompany) => api.request(restoreCompany, { params: { id } }),
    onSuccess: (_, { name }) => toasts.success(`The company ${name} is back.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () =>
      Promise.all([COMPANIES_FILTER_KEY, ['companies']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
