import { listJobNames } from '@keepwatch/contract/monitoring/insight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ChoiceSearch } from '../kit/filters/search-filter.tsx';
import { useApi } from '../kit/portal.tsx';

const CHOICES_MAX = 50;

/** Finds the first jobs whose name has the text in it, of these companies if any are given. */
export function useJobSearch(companyIds: readonly string[]): (search: string) => ChoiceSearch {
  const api = useApi();
  return (search) => {
    const query = {
      limit: CHOICES_MAX,
      ...(search === '' ? {} : { search }),
      ...(companyIds.length === 0 ? {} : { companyIds: [...companyIds] }),
    };
    return {
      queryKey: ['job-names', query],
      queryFn: async ({ signal }) => {
        const { count, data } = await api.request(listJobNames, { query }, signal);
        const choices = data.map(({ jobInstanceUid, jobName, companyName }) => ({
          value: jobInstanceUid,
          label: jobName,
          detail: companyName ?? undefined,
        }));
        return { count, choices };
      },
    };
  };
}

/** The names of the jobs of these ids; of one that is not read yet, or not there, an ellipsis. */
export function useJobNames(ids: readonly string[]): (id: string) => string {
  const api = useApi();
  const query = { jobInstanceUids: [...ids], limit: ids.length };
  const { data } = useQuery({
    queryKey: ['job-names', query],
    queryFn: ({ signal }) => api.request(listJobNames, { query }, signal),
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  });
  return (id) => data?.data.find((job) => job.jobInstanceUid === id)?.jobName ?? '…';
}
