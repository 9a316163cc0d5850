import {
  assignJobExecutions,
  type JobCandidate,
  type JobExecutionDetail,
} from '@keepwatch/contract/executions/job-executions';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { KEY } from '../daily-checks.data.ts';

/** Assigns a run to one of the jobs that it may belong to; gives the id that it has from then on to `onAssigned`. */
export function useAssignJob(run: JobExecutionDetail, onAssigned: (id: string) => void) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ jobInstanceUid }: JobCandidate) =>
      api.request(assignJobExecutions, { body: { ids: [run._id], jobInstanceUid } }),
    onSuccess: ({ data: [assigned] }, job) => {
      if (assigned === undefined) return toasts.info('This run was already assigned to a job.');
      toasts.success(`Run assigned to ${job.jobName}${job.serverName === null ? '' : ` on ${job.serverName}`}.`);
      onAssigned(assigned.assignedId);
    },
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
