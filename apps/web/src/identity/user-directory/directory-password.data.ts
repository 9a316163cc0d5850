import { changeExpiredPassword, changeOwnDirectoryPassword } from '@keepwatch/contract/identity/user-directory';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation } from '@tanstack/react-query';
import { useApi, usePortal, useToasts, useUser } from '../../kit/portal.tsx';

/** Changes the own password in the directory, and goes on with a new session. */
export function useChangeOwnDirectoryPassword() {
  const { api, session } = usePortal();
  const { id } = useUser();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async (body: CallRequest<typeof changeOwnDirectoryPassword>['body']) => {
      const { data } = await api.request(changeOwnDirectoryPassword, { params: { id }, body });
      const user = session.get()?.user;
      if (user !== undefined) session.start({ token: data.token, user });
    },
    onSuccess: () => toasts.success('Your password has been changed. You are signed out on all other devices.'),
  });
}

/** Changes a password that no longer signs in. */
export function useChangeExpiredPassword() {
  const api = useApi();
  return useMutation({
    mutationFn: (body: CallRequest<typeof changeExpiredPassword>['body']) =>
      api.request(changeExpiredPassword, { body }),
  });
}
