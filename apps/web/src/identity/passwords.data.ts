import {
  changeOwnPassword,
  checkPasswordLink,
  requestPasswordLink,
  setPasswordByLink,
} from '@keepwatch/contract/identity/passwords';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, usePortal, useToasts, useUser } from '../kit/portal.tsx';

/** Asks for a link by mail. */
export function useRequestPasswordLink() {
  const api = useApi();
  return useMutation({
    mutationFn: (body: CallRequest<typeof requestPasswordLink>['body']) => api.request(requestPasswordLink, { body }),
  });
}

const linkKey = (hash: string) => ['password-link', hash];

/** Whether a link opens. */
export function usePasswordLink(hash: string) {
  const api = useApi();
  return useQuery({
    queryKey: linkKey(hash),
    queryFn: ({ signal }) => api.request(checkPasswordLink, { query: { hash } }, signal),
    select: ({ data }) => data,
  });
}

/** Sets a password with a link. A session of this browser ends, whose it is does not matter. */
export function useSetPasswordByLink() {
  const { api, session } = usePortal();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof setPasswordByLink>['body']) => api.request(setPasswordByLink, { body }),
    onSuccess: () => session.end(),
    // If the link was used meanwhile, the page shows that.
    onError: (_, { hash }) => queries.invalidateQueries({ queryKey: linkKey(hash) }),
  });
}

/** Changes the own password, and goes on with a new session. */
export function useChangeOwnPassword() {
  const { api, session } = usePortal();
  const { id } = useUser();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async (body: CallRequest<typeof changeOwnPassword>['body']) => {
      const { data } = await api.request(changeOwnPassword, { params: { id }, body });
      const user = session.get()?.user;
      if (user !== undefined) session.start({ token: data.token, user: { ...user, passwordReset: false } });
    },
    onSuccess: () => toasts.success('Your password has been changed. You are signed out on all other devices.'),
  });
}
