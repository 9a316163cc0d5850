import { listJobNames } from '@keepwatch/contract/monitoring/insight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../kit/portal.tsx';

const CHOICES_MAX = 50;

/** The first jobs whose name has the text in it, of these companies if any are given. */
export function useJobChoices(search: string, companyIds: readonly string[]) {
  const api = useApi();
  const query = {
    limit: CHOICES_MAX,
    ...(search === '' ? {} : { search }),
    ...(companyIds.length === 0 ? {} : { companyIds: [...companyIds] }),
  };
  return useQuery({
    queryKey: ['job-names', query],
    queryFn: ({ signal }) => api.request(listJobNames, { query }, signal),
    placeholderData: keepPreviousData,
  });
}
