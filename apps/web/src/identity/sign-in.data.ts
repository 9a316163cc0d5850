import type { signIn } from '@keepwatch/contract/identity/sessions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import type { Endpoint } from '@keepwatch/contract/wire/client';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from '../kit/portal.tsx';

const SIGN_IN: Endpoint<typeof signIn> = {
  method: 'POST',
  path: '/auth/login/db',
  failure: 'Signing in failed, try again later.',
};

/** Signs in with a passkey alone; its code comes when it is asked for. */
export function usePasskeySignIn() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: async () => (await import('./second-factors/passkey-sign-in.ts')).signInByPasskey(api),
    onSuccess: ({ token, user }) => session.start({ token, user }),
  });
}

/** Signs in with a database account and begins the session. */
export function useSignIn() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: (body: CallRequest<typeof signIn>['body']) => api.request<typeof signIn>(SIGN_IN, { body }),
    onSuccess: (reply) => {
      if ('token' in reply) session.start({ token: reply.token, user: reply.user });
    },
  });
}
