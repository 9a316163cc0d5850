import { listProofs, startProof } from '@keepwatch/contract/microsoft365/proofs';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { JOBS_KEY } from '../jobs/jobs.data.ts';

const WHILE_RUNNING_MS = 3_000;
/** Of the last months. */
const SHOWN = 20;

/** The last proofs of a job; while one runs, they are read again. */
export function useProofs(jobId: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...JOBS_KEY, 'proofs', jobId],
    queryFn: ({ signal }) => api.request(listProofs, { params: { jobId }, query: { limit: SHOWN } }, signal),
    select: (reply) => reply.data,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'Running') ? WHILE_RUNNING_MS : false,
  });
}

/** Proves a job now. */
export function useStartProof(jobId: string) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(startProof, { params: { jobId } }),
    onError: (error) => toasts.error(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  });
}
