import { listJobNames } from '@keepwatch/contract/monitoring/insight';
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
          label: companyName === null ? jobName : `${jobName} · ${companyName}`,
        }));
        return { count, choices };
      },
    };
  };
}
