import { listDidntRun, type SilentJob } from '@keepwatch/contract/monitoring/insight';
import {
  ignoreDidntRun,
  ignoreDisabled,
  unignoreDidntRun,
  unignoreDisabled,
} from '@keepwatch/contract/monitoring/job-executions';
import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type Api, messageOf } from '../kit/api.ts';
import { useApi, useToasts } from '../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

/** Why nothing is heard of a job: it should have run, or it is switched off. */
export type Silence = 'didnt-run' | 'disabled';

const CALLS = {
  'didnt-run': { ignore: ignoreDidntRun, unignore: unignoreDidntRun },
  disabled: { ignore: ignoreDisabled, unignore: unignoreDisabled },
} as const;

const PAGE_ROWS = 50;
const KEY = ['dashboard', 'silent-jobs'];

export function silentJobsQuery(api: Api, silence: Silence, { jobs }: Subject, withIgnored: boolean) {
  const filter = { ...jobs, type: silence, ignored: withIgnored };
  return infiniteQueryOptions({
    queryKey: [...KEY, filter],
    queryFn: ({ pageParam, signal }) =>
      api.request(listDidntRun, { query: { filter, limit: PAGE_ROWS, offset: pageParam } }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((rows, page) => rows + page.data.length, 0);
      return last.data.length > 0 && loaded < last.count ? loaded : undefined;
    },
  });
}

/** The silent jobs, in the server's order, more of them on demand; with `withIgnored` also those that are ignored. */
export function useSilentJobs(silence: Silence, subject: Subject, withIgnored: boolean) {
  return useInfiniteQuery({
    ...silentJobsQuery(useApi(), silence, subject, withIgnored),
    select: ({ pages }) => ({ count: pages.at(-1)?.count ?? 0, jobs: pages.flatMap((page) => page.data) }),
    placeholderData: keepPreviousData,
  });
}

/** Leaves a job out of the list until a moment (`null`: for good), and takes it back. */
export function useIgnore(silence: Silence) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  const onError = (error: Error) => toasts.error(messageOf(error));
  const onSettled = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: KEY }),
      queries.invalidateQueries({ queryKey: ['dashboard', 'overview'] }),
    ]);
  const unignore = useMutation({
    mutationFn: ({ jobInstanceUid }: SilentJob) => api.request(CALLS[silence].unignore, { params: { jobInstanceUid } }),
    onSuccess: (_, job) => toasts.success(`${job.jobName} is shown again.`),
    onError,
    onSettled,
  });
  const ignore = useMutation({
    mutationFn: ({ job: { jobInstanceUid }, until }: { job: SilentJob; until: string | null }) =>
      api.request(CALLS[silence].ignore, {
        params: { jobInstanceUid },
        body: until === null ? {} : { ignoredUntil: until },
      }),
    onSuccess: (_, { job }) =>
      toasts.success(`${job.jobName} is ignored.`, { label: 'Undo', run: () => unignore.mutate(job) }),
    onError,
    onSettled,
  });
  return { ignore, unignore };
}
