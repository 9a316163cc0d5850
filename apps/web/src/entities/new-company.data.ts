import { createCompany } from '@keepwatch/contract/companies/companies';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAllows, useApi, useToasts, useUser } from '../kit/portal.tsx';
import { COMPANIES_FILTER_KEY } from './company-filter.data.ts';

export type NewCompany = CallRequest<typeof createCompany>['body'];

/** Whether the user may add, change and delete companies: no user who is limited to some of them. */
export function useMayChangeCompanies(): boolean {
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
