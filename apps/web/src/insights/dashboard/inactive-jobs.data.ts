import {
  ignoreDidntRun,
  ignoreDisabled,
  unignoreDidntRun,
  unignoreDisabled,
} from '@keepwatch/contract/executions/inactive-jobs';
import { type InactiveJob, listDidntRun } from '@keepwatch/contract/insights/insights';
import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type Api, messageOf } from '../../kit/api.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

/** Why a job is inactive: it should have run, or it is switched off. */
export type Inactivity = 'didnt-run' | 'disabled';

const CALLS = {
  'didnt-run': { ignore: ignoreDidntRun, unignore: unignoreDidntRun },
  disabled: { ignore: ignoreDisabled, unignore: unignoreDisabled },
} as const;

const PAGE_ROWS = 50;
const KEY = ['dashboard', 'inactive-jobs'];

export function inactiveJobsQuery(api: Api, inactivity: Inactivity, { jobs }: Subject, withIgnored: boolean) {
  const filter = { ...jobs, type: inactivity, ignored: withIgnored };
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

/** Reads the inactive jobs in the server's order, more of them on demand; with `withIgnored` also the ignored ones. */
export function useInactiveJobs(inactivity: Inactivity, subject: Subject, withIgnored: boolean) {
  return useInfiniteQuery({
    ...inactiveJobsQuery(useApi(), inactivity, subject, withIgnored),
    select: ({ pages }) => ({ count: pages.at(-1)?.count ?? 0, jobs: pages.flatMap((page) => page.data) }),
    placeholderData: keepPreviousData,
  });
}

/** Ignores a job until a given time (`null`: for good), and unignores it. */
export function useIgnore(inactivity: Inactivity) {
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
    mutationFn: ({ jobInstanceUid }: InactiveJob) =>
      api.request(CALLS[inactivity].unignore, { params: { jobInstanceUid } }),
    onSuccess: (_, job) => toasts.success(`${job.jobName} is shown again.`),
    onError,
    onSettled,
  });
  const ignore = useMutation({
    mutationFn: ({ job: { jobInstanceUid }, until }: { job: InactiveJob; until: string | null }) =>
      api.request(CALLS[inactivity].ignore, {
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
