import { listM365Jobs } from '@keepwatch/contract/microsoft365/jobs';
import { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../kit/portal.tsx';

/** Of all that is read of organizations. */
export const ORGANIZATIONS_KEY = ['o365', 'organizations'];

/** Names and ids of all organizations (specification "microsoft365", part 9: they are cached). */
export function useOrganizationNames(isAsked = true) {
  const api = useApi();
  return useQuery({
    queryKey: [...ORGANIZATIONS_KEY, 'names'],
    queryFn: ({ signal }) => api.request(listOrganizationNames, {}, signal),
    select: (reply) => reply.data,
    enabled: isAsked,
  });
}

/** Whether there is any job. */
export function useHasJobs(isAsked: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: ['o365', 'jobs', 'any'],
    queryFn: ({ signal }) => api.request(listM365Jobs, { query: { limit: 1 } }, signal),
    select: (reply) => reply.count > 0,
    enabled: isAsked,
  });
}
