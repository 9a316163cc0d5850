import type { PasskeyRequest } from '@keepwatch/contract/identity/passkey-fields';
import type { confirmWithPasskey } from '@keepwatch/contract/identity/passkeys';
import type { signInWithCode } from '@keepwatch/contract/identity/sessions';
import type { Endpoint } from '@keepwatch/contract/wire/client';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from '../../kit/portal.tsx';
import { provePasskey } from './browser-passkeys.ts';

// Without the schemas of their declarations: these pages are there before everything else.

const failure = 'Signing in failed, try again later.';
const WITH_CODE: Endpoint<typeof signInWithCode> = { method: 'POST', path: '/auth/login/second-factor/code', failure };
const WITH_PASSKEY: Endpoint<typeof confirmWithPasskey> = {
  method: 'POST',
  path: '/auth/login/second-factor/passkey',
  failure,
};

/** What is proved, and whether no second factor is to be asked for in this browser for a while. */
interface SecondSignIn {
  challenge: string;
  rememberComputer: boolean;
}

/** Ends a sign-in with a code, and begins the session. */
export function useSignInWithCode() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: (body: SecondSignIn & { code: string }) => api.request<typeof signInWithCode>(WITH_CODE, { body }),
    onSuccess: ({ token, user }) => session.start({ token, user }),
  });
}

/** The same with a passkey. */
export function useConfirmWithPasskey(request: PasskeyRequest) {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: async (body: SecondSignIn) => {
      const proof = await provePasskey(request);
      return api.request<typeof confirmWithPasskey>(WITH_PASSKEY, { body: { ...body, proof } });
    },
    onSuccess: ({ token, user }) => session.start({ token, user }),
  });
}
