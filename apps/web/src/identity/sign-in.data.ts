import { signIn } from '@keepwatch/contract/identity/sessions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from '../kit/portal.tsx';

/** Signs in with a database account and begins the session. */
export function useSignIn() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: (body: CallRequest<typeof signIn>['body']) => api.request(signIn, { body }),
    onSuccess: ({ token, user }) => session.start({ token, user }),
  });
}
