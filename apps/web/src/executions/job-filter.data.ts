import { listJobNames } from '@keepwatch/contract/insights/calendar';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ChoiceSearch } from '../kit/filters/search-choices.tsx';
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

/** The jobs of these ids by name: on a button, in a list with their company, and whether one of them is not there. */
export function useJobNames(ids: readonly string[]) {
  const api = useApi();
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['job-names', { ids }],
    queryFn: ({ signal }) => api.request(listJobNames, { query: { ids: [...ids], limit: ids.length } }, signal),
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  });
  const jobOf = (id: string) => data?.data.find(({ jobInstanceUid }) => jobInstanceUid === id.toLowerCase());
  return {
    nameOf: (id: string) => jobOf(id)?.jobName ?? '…',
    labelOf: (id: string) => labelOf(jobOf(id)),
    isMissing: data !== undefined && !isPlaceholderData && ids.some((id) => jobOf(id) === undefined),
  };
}

function labelOf(job: { jobName: string; companyName: string | null } | undefined): string {
  if (job === undefined) return '…';
  return job.companyName === null ? job.jobName : `${job.jobName} · ${job.companyName}`;
}
