import {
  editMaintenancePlan,
  type MaintenanceKind,
  type MaintenancePlan,
  readMaintenance,
  startMaintenance,
  stopMaintenance,
} from '@keepwatch/contract/microsoft365/maintenance';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { REPOSITORIES_KEY } from './repositories.data.ts';

const keyOf = (id: string) => [...REPOSITORIES_KEY, id, 'maintenance'];
const WHILE_RUNNING_MS = 3_000;

/** When a repository is verified and pruned, and its last runs; while one runs, it is read again. */
export function useMaintenance(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => api.request(readMaintenance, { params: { id } }, signal),
    select: (reply) => reply.data,
    refetchInterval: ({ state }) =>
      state.data?.data.runs.some(({ status }) => status === 'Running') ? WHILE_RUNNING_MS : false,
  });
}

export interface MaintenanceStart {
  kind: MaintenanceKind;
  dryRun: boolean;
}

/** Verifies or prunes now. */
export function useStartMaintenance(id: string) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, dryRun }: MaintenanceStart) =>
      api.request(startMaintenance, { params: { id, kind }, body: { dryRun } }),
    onError: (error) => toasts.error(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(id) }),
  });
}

/** Ends the verify or prune that runs. */
export function useStopMaintenance(id: string) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(stopMaintenance, { params: { id } }),
    onError: (error) => toasts.error(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(id) }),
  });
}

/** Changes when it is verified or pruned. Why it is refused is said in its form. */
export function useEditPlan(id: string, kind: MaintenancePlan['kind']) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof editMaintenancePlan>['body']) =>
      api.request(editMaintenancePlan, { params: { id, kind }, body }),
    // The repository itself shows when it is due.
    onSettled: () => queries.invalidateQueries({ queryKey: REPOSITORIES_KEY }),
  });
}
