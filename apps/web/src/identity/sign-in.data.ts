import type { signIn } from '@keepwatch/contract/identity/sessions';
import type { signInByDirectory } from '@keepwatch/contract/identity/user-directory';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import type { Endpoint } from '@keepwatch/contract/wire/client';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from '../kit/portal.tsx';

type SignIn = typeof signIn | typeof signInByDirectory;

/** The sign-in with an account of the directory (`ad`), or of the portal. */
const signInWith = (kind: 'ad' | 'db'): Endpoint<SignIn> => ({
  method: 'POST',
  path: `/auth/login/${kind}`,
  failure: 'Signing in failed, try again later.',
});

/** Signs in with a passkey alone; its code comes when it is asked for. */
export function usePasskeySignIn() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: async () => (await import('./second-factors/passkey-sign-in.ts')).signInByPasskey(api),
    onSuccess: ({ token, user }) => session.start({ token, user }),
  });
}

/** Signs in with an account and begins the session. */
export function useSignIn(kind: 'ad' | 'db') {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: (body: CallRequest<typeof signIn>['body']) => api.request<SignIn>(signInWith(kind), { body }),
    onSuccess: (reply) => {
      if ('token' in reply) session.start({ token: reply.token, user: reply.user });
    },
  });
}
