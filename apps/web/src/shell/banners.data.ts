import type { User } from '@keepwatch/contract/identity/sessions';
import {
  acknowledgeNotification,
  listNotifications,
  type Notification,
} from '@keepwatch/contract/notifications/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Api, messageOf } from '../kit/api.ts';
import { useLive } from '../kit/live/use-live.ts';
import { useApi, useToasts, useUser } from '../kit/portal.tsx';

const KEY = ['notifications'];

export function bannersQuery(api: Api, user: User) {
  return queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(listNotifications, { body: { userId: user.id } }, signal),
  });
}

/** The banners that concern the user. */
export function useBanners() {
  useLive('notifications.changed', KEY);
  return useQuery({ ...bannersQuery(useApi(), useUser()), select: (reply) => reply.data });
}

/** Never shows a banner to this user again. */
export function useAcknowledge() {
  const api = useApi();
  const user = useUser();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id, event }: Notification) =>
      api.request(acknowledgeNotification, {
        body: { notificationId: _id, userId: user.id, event, username: user.username },
      }),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
