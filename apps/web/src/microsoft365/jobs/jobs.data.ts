import {
  createM365Job,
  deleteM365Job,
  disableM365Job,
  editM365Job,
  enableM365Job,
  type JOB_STATES,
  listJobsOfOrganization,
  listM365Jobs,
  listProxies,
  listProxyPools,
  type Microsoft365Job,
  readLatestSession,
  readM365Job,
  type SessionResult,
  startM365Job,
  stopM365Job,
} from '@keepwatch/contract/microsoft365/jobs';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';

export const JOBS_KEY = ['o365', 'jobs'];
export type JobSort = OrderOf<typeof listM365Jobs>;
export const JOB_SORTS = ordersOf(listM365Jobs);
export type EditedJobBody = CallRequest<typeof editM365Job>['body'];

interface JobsFilter {
  search: string;
  status: readonly SessionResult[];
  only: (typeof JOB_STATES)[number] | '';
  ranOn: string;
}

/** Jobs of all organizations, a page at a time. */
export function useJobs({ search, status, only, ranOn }: JobsFilter, sort: JobSort): Pages<Microsoft365Job> {
  const api = useApi();
  const filter = {
    ...(search === '' ? {} : { search }),
    ...(status.length === 0 ? {} : { status: [...status] }),
    ...(only === '' ? {} : { only }),
    ...(ranOn === '' ? {} : { ranOn }),
  };
  return usePages({
    queryKey: [...JOBS_KEY, 'list', { ...filter, sort }],
    load: (place, signal) => api.request(listM365Jobs, { query: { ...filter, ...place, sort } }, signal),
  });
}

/** How often what runs is read again, beside what the server reports. */
const PROGRESS_MS = 5_000;

/** Reads jobs again when they change, and while one runs. */
export function useLiveJobs(isAnyRunning: boolean): void {
  const queries = useQueryClient();
  useLive('m365-jobs.changed', JOBS_KEY);
  useEffect(() => {
    if (!isAnyRunning) return;
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: JOBS_KEY }), PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isAnyRunning, queries]);
}

/** One job with what it covers; none without an id. */
export function useJob(jobId: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...JOBS_KEY, 'one', jobId],
    queryFn: ({ signal }) => api.request(readM365Job, { params: { jobId } }, signal),
    select: (reply) => reply.data,
    enabled: jobId !== '',
  });
}

/** The last run of a job, and those before it. */
export function useSessions(jobId: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...JOBS_KEY, 'sessions', jobId],
    queryFn: ({ signal }) => api.request(readLatestSession, { params: { jobId } }, signal),
  });
}

/** The jobs of an organization, to run after one of them. */
export function useJobsOfOrganization(organizationId: string | null) {
  const api = useApi();
  return useQuery({
    queryKey: [...JOBS_KEY, 'of', organizationId],
    queryFn: ({ signal }) =>
      api.request(
        listJobsOfOrganization,
        { params: { organizationId: organizationId ?? '' }, query: { limit: 1_000 } },
        signal,
      ),
    select: (reply) => reply.data,
    enabled: organizationId !== null,
  });
}

/** The machines that can back up an organization. */
export function useProxies(organizationId: string | null) {
  const api = useApi();
  return useQuery({
    queryKey: ['o365', 'proxies', organizationId],
    queryFn: ({ signal }) =>
      api.request(listProxies, { query: organizationId === null ? {} : { organizationId } }, signal),
    select: (reply) => reply.data,
    enabled: organizationId !== null,
  });
}

/** The machines of this portal, with what each does now. */
export function useWorkers() {
  const api = useApi();
  return useQuery({
    queryKey: [...JOBS_KEY, 'workers'],
    queryFn: ({ signal }) => api.request(listProxies, {}, signal),
    select: (reply) => reply.data,
    refetchInterval: PROGRESS_MS,
  });
}

/** Named groups of these machines: a job of one is done by whichever of them is free. */
export function useProxyPools(organizationId: string | null) {
  const api = useApi();
  return useQuery({
    queryKey: ['o365', 'proxy-pools', organizationId],
    queryFn: ({ signal }) =>
      api.request(listProxyPools, { query: organizationId === null ? {} : { organizationId } }, signal),
    select: (reply) => reply.data,
    enabled: organizationId !== null,
  });
}

const ACTIONS = {
  start: { call: startM365Job, done: 'has been asked to run' },
  stop: { call: stopM365Job, done: 'is stopping; what it has read stays' },
  enable: { call: enableM365Job, done: 'runs by its schedule' },
  disable: { call: disableM365Job, done: 'no longer runs by its schedule' },
} as const;
export type JobAction = keyof typeof ACTIONS;

type ActedOn = Pick<Microsoft365Job, 'id' | 'name' | 'organizationId' | 'organizationName' | 'version'>;

/** Starts, stops, enables or disables a job. */
export function useJobAction({ id: jobId, name, organizationId, organizationName, version }: ActedOn) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (action: JobAction) => {
      const body = { organizationId, organizationName };
      if (action === 'start' || action === 'stop') await api.request(ACTIONS[action].call, { params: { jobId }, body });
      else await api.request(ACTIONS[action].call, { params: { jobId }, body: { ...body, version } });
    },
    onSuccess: (_, action) => toasts.success(`${name} ${ACTIONS[action].done}.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  });
}

export function useDeleteJob({ onDone }: { onDone: () => void }) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id: jobId, organizationId, organizationName }: ActedOn) =>
      api.request(deleteM365Job, { params: { jobId }, body: { organizationId, organizationName } }),
    onSuccess: (_, { name }) => {
      toasts.success(`The job ${name} has been deleted.`);
      onDone();
    },
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  });
}

/** Creates a job, or changes the one with this id. @param onChanged called with its version where another person has changed it meanwhile */
export function useSaveJob(jobId: string | null, onChanged: (version: number) => void) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ version, ...body }: EditedJobBody) => {
      if (jobId === null) return api.request(createM365Job, { body });
      try {
        return await api.request(editM365Job, { params: { jobId }, body: { ...body, version } });
      } catch (error) {
        if (error instanceof CallFailed && error.code === 'JOB_CHANGED')
          onChanged((await api.request(readM365Job, { params: { jobId } })).data.version);
        throw error;
      }
    },
    onSuccess: ({ data }) => toasts.success(`The job ${data.name} has been ${jobId === null ? 'created' : 'changed'}.`),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  });
}
