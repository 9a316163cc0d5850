import {
  listRestorePoints,
  openRestoreSession,
  type RestorePoint,
  type RestoreSession,
  type SessionType,
  stopRestoreSession,
} from '@keepwatch/contract/restore/sessions';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { type Month, monthRange } from './month.ts';

/** Of all that is read in the restore portal. */
export const RESTORE_KEY = ['o365', 'restore'];
/** Newest restore points that are stepped through; older ones are found with the calendar. */
const NEWEST_POINTS = 1_000;

export interface OrganizationRef {
  id: string;
  companyId: string;
}

/** The newest restore points of an organization, newest first. */
export function useNewestPoints(organization: OrganizationRef | null) {
  const api = useApi();
  return useQuery({
    queryKey: [...RESTORE_KEY, 'points', organization?.id],
    queryFn: ({ signal }) =>
      api.request(
        listRestorePoints,
        { query: { organizationId: organization?.id ?? '', limit: NEWEST_POINTS } },
        signal,
      ),
    select: (reply): readonly RestorePoint[] => reply.data,
    enabled: organization !== null,
  });
}

/** The restore points of a month, and of the days beside it that the same calendar shows. */
export function useMonthPoints(organizationId: string, month: Month) {
  const api = useApi();
  return useQuery({
    queryKey: [...RESTORE_KEY, 'points', organizationId, month],
    queryFn: ({ signal }) =>
      api.request(listRestorePoints, { query: { organizationId, ...monthRange(month), limit: NEWEST_POINTS } }, signal),
    select: (reply): readonly RestorePoint[] => reply.data,
    placeholderData: keepPreviousData,
  });
}

export interface Shown {
  organization: OrganizationRef;
  sessionType: SessionType;
  datetime: string;
  showDeleted: boolean;
}

const sessionKey = (shown: Shown | null) => [...RESTORE_KEY, 'session', shown];

/** The session in which a restore point is looked at. It is opened once; one that has ended is opened again. */
export function useRestoreSession(shown: Shown | null) {
  const api = useApi();
  const queries = useQueryClient();
  const read = useQuery({
    queryKey: sessionKey(shown),
    queryFn: async ({ signal }) => {
      if (shown === null) throw new Error('No restore point is chosen.');
      const { organization, ...point } = shown;
      const body = { ...point, organizationId: organization.id, companyId: organization.companyId };
      return (await api.request(openRestoreSession, { body }, signal)).data;
    },
    enabled: shown !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });
  const change = (patch: Partial<RestoreSession>) =>
    queries.setQueryData<RestoreSession>(sessionKey(shown), (session) => session && { ...session, ...patch });
  return { ...read, change };
}

/** Whether a call failed because its session has ended. */
export function isSessionEnded(error: unknown): boolean {
  return error instanceof CallFailed && error.code === 'RESTORE_SESSION_ENDED';
}

/** Ends a session. Restores and downloads that were begun in it continue. */
export function useStopSession(onStopped: () => void) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (restoreSessionId: string) => api.request(stopRestoreSession, { params: { restoreSessionId } }),
    onSuccess: onStopped,
    onError: (error) => toasts.error(messageOf(error)),
  });
}
