import { editBackupClock, getBackupClock } from '@keepwatch/contract/backup-days/backup-clock';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLive } from '../kit/live/use-live.ts';
import { useApi, usePortal, useToasts, useUser } from '../kit/portal.tsx';

const KEY = ['backup-clock'];

/** By what the provider counts days, as it is now. The session follows: all screens take it from there. */
export function useStoredClock() {
  const { api, session } = usePortal();
  const user = useUser();
  useLive('backup-clock.changed', KEY);
  const reading = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(getBackupClock, {}, signal),
    select: ({ data }) => data,
  });
  const stored = reading.data;
  useEffect(() => {
    if (stored !== undefined && JSON.stringify(stored) !== JSON.stringify(user.backupClock))
      session.updateUser({ ...user, backupClock: stored });
  }, [stored, user, session]);
  return reading;
}

/** Changes it. Why a change is refused is said where it was made. */
export function useEditBackupClock() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof editBackupClock>['body']) => api.request(editBackupClock, { body }),
    onSuccess: (reply) => {
      queries.setQueryData(KEY, reply);
      const isRecounted = reply.data.recountedFrom === null;
      toasts.success(
        isRecounted ? 'Days are counted so from now on.' : 'The last days are recounted; older ones follow.',
      );
    },
  });
}
