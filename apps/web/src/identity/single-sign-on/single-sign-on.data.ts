import type { beginSingleSignOn, finishSingleSignOn } from '@keepwatch/contract/identity/single-sign-on';
import type { Endpoint } from '@keepwatch/contract/wire/client';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from '../../kit/portal.tsx';
import { rememberNext } from './next-address.ts';

// Without the schemas of their declarations: these pages are there before everything else.

const failure = 'Signing in failed, try again later.';
const BEGIN: Endpoint<typeof beginSingleSignOn> = {
  method: 'POST',
  path: '/auth/login/identity-providers/{id}',
  failure,
};
const FINISH: Endpoint<typeof finishSingleSignOn> = {
  method: 'POST',
  path: '/auth/login/identity-provider-return',
  failure,
};

/** Sends the browser to an identity provider. @param next where the visit is to go on afterwards */
export function useBeginSignOn(next: unknown) {
  const { api } = usePortal();
  return useMutation({
    mutationFn: (id: string) => api.request<typeof beginSingleSignOn>(BEGIN, { params: { id } }),
    onSuccess: ({ data }) => {
      rememberNext(next);
      window.location.assign(data.address);
    },
  });
}

/** Ends the sign-in with what follows the `?` of the address at which the browser came back, and begins the session. */
export function useFinishSignOn() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: (query: string) => api.request<typeof finishSingleSignOn>(FINISH, { body: { query } }),
    onSuccess: (reply) => {
      if ('token' in reply) session.start({ token: reply.token, user: reply.user });
    },
  });
}
