import {
  addPeopleToJob,
  listAgedObjects,
  listUnprotectedPeople,
  type ObjectAge,
  readObjectAges,
  readProtectedPeople,
  readProvedJobs,
  type UnprotectedGroup,
} from '@keepwatch/contract/microsoft365/protection';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { o365Jobs } from '../../entities/places.ts';
import type { Api } from '../../kit/api.ts';
import { type FigurePage, type FigurePlace, useFigureRows } from '../../kit/figures/figure-rows.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { JOBS_KEY } from '../jobs/jobs.data.ts';
import { DASHBOARD_KEY } from './dashboard.data.ts';
import { reasonText } from './protection-words.ts';

/** How many people are backed up, and why the others are not. */
export function useProtectedPeople() {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'people'],
    queryFn: ({ signal }) => api.request(readProtectedPeople, {}, signal),
    select: (reply) => reply.data,
  });
}

/** What is backed up, by the age of its newest complete backup. */
export function useObjectAges() {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'object-ages'],
    queryFn: ({ signal }) => api.request(readObjectAges, {}, signal),
    select: (reply) => reply.data,
  });
}

/** Whether jobs can be restored, by their last proofs. */
export function useProvedJobs() {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'proofs'],
    queryFn: ({ signal }) => api.request(readProvedJobs, {}, signal),
    select: (reply) => reply.data,
  });
}

/** Adds all people of a group to its job. */
export function useAddPeople() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ organizationId, jobId, reason }: Addable) =>
      api.request(addPeopleToJob, { params: { jobId }, body: { organizationId, reason } }),
    onSuccess: ({ data }, { jobName }) =>
      toasts.success(
        `${formatCounted(data.people, 'person is', 'people are')} backed up by ${jobName ?? 'the job'} from its next run on.`,
      ),
    onError: (error) => toasts.error(error.message),
    onSettled: () => Promise.all([DASHBOARD_KEY, JOBS_KEY].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

/** A group whose people a job can have by one change. */
export type Addable = UnprotectedGroup & { jobId: string; reason: 'no-job' | 'excluded' };

export function isAddable(group: UnprotectedGroup): group is Addable {
  return group.jobId !== null && (group.reason === 'no-job' || group.reason === 'excluded');
}

/** What a figure counts, where no screen of its own lists it: people of a group, or of all; objects of an age. */
export type Figure = { of: 'people'; group: UnprotectedGroup | null } | { of: 'objects'; age: ObjectAge };

/** The same, more of it on demand. */
export function useFigure(figure: Figure) {
  const api = useApi();
  return useFigureRows([...DASHBOARD_KEY, 'figure', figure], (place, signal) =>
    figure.of === 'people' ? listPeople(api, figure.group, place, signal) : listObjects(api, figure.age, place, signal),
  );
}

/** To the job that a row is about. */
const jobOf = (jobId: string | null) =>
  jobId === null ? undefined : { text: 'Open job', to: o365Jobs.at({ open: jobId }) };

async function listPeople(
  api: Api,
  group: UnprotectedGroup | null,
  place: FigurePlace,
  signal: AbortSignal,
): Promise<FigurePage> {
  const query = { ...(group === null ? {} : filterOf(group)), ...place };
  const { count, data } = await api.request(listUnprotectedPeople, { query }, signal);
  const rows = data.map((person) => ({
    key: `${person.organizationId} ${person.objectId}`,
    name: person.name,
    about: [person.address, person.organizationName, reasonText(person)],
    next: jobOf(person.jobId),
  }));
  return { count, rows };
}

function filterOf({ organizationId, reason, jobId }: UnprotectedGroup) {
  return { organizationId, reason, ...(jobId === null ? {} : { jobId }) };
}

async function listObjects(api: Api, age: ObjectAge, place: FigurePlace, signal: AbortSignal): Promise<FigurePage> {
  const { count, data } = await api.request(listAgedObjects, { query: { age, ...place } }, signal);
  const rows = data.map(({ kind, name, organizationName, jobId, jobName, completeTime }, at) => ({
    key: `${place.offset + at}`,
    name,
    about: [
      kind,
      organizationName,
      jobName,
      completeTime === null ? 'never complete' : `complete ${formatDateTime(completeTime)}`,
    ],
    next: jobOf(jobId),
  }));
  return { count, rows };
}
