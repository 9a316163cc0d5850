import { listUnprotectedCompanies } from '@keepwatch/contract/inventory/computers';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../kit/portal.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';

/** More than this a panel does not show; the figure above lists all computers. */
const COMPANIES_MAX = 100;

/** The companies with computers that have no agent, those with the most first. */
export function useUnprotectedCompanies({ jobs: { companyIds } }: Subject) {
  const api = useApi();
  const query = { limit: COMPANIES_MAX, ...(companyIds === undefined ? {} : { companyIds }) };
  return useQuery({
    queryKey: ['dashboard', 'unprotected', companyIds],
    queryFn: ({ signal }) => api.request(listUnprotectedCompanies, { query }, signal),
    placeholderData: keepPreviousData,
  });
}
