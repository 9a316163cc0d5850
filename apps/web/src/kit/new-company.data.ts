import { createCompany } from '@keepwatch/contract/directory/companies';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { COMPANIES_FILTER_KEY } from './filters/company-filter.data.ts';
import { useAllows, useApi, useToasts, useUser } from './portal.tsx';

export type NewCompany = CallRequest<typeof createCompany>['body'];

/** Whether the user may add companies. Whoever is limited to some could not reach the new one. */
export function useMayCreateCompany(): boolean {
  const { companyIds } = useUser();
  const isAllowed = useAllows(createCompany.access);
  return isAllowed && companyIds === null;
}

/** Adds a company that no console knows. Why one is refused is said where it was asked for. */
export function useCreateCompany() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewCompany) => api.request(createCompany, { body }),
    onSuccess: ({ data }) => toasts.success(`The company ${data.name} has been added.`),
    onSettled: () =>
      Promise.all([COMPANIES_FILTER_KEY, ['companies']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
