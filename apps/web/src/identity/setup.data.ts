import { checkSetupLink, createFirstAccount, signIn } from '@keepwatch/contract/identity/sessions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, usePortal } from '../kit/portal.tsx';

export type NewAccount = CallRequest<typeof createFirstAccount>['body'];

const keyOf = (token: string) => ['setup', token];

/** Checks whether the link can create an account. If the check fails, creating the account reports the reason. */
export function useSetupLink(token: string) {
  const api = useApi();
  const { isPending, error } = useQuery({
    queryKey: keyOf(token),
    queryFn: ({ signal }) => api.request(checkSetupLink, { params: { token } }, signal),
  });
  return { isPending, isSpent: error instanceof CallFailed && error.status === 404 };
}

/**
 * Creates the installation's first account and signs in with it; `token` is of the link that the first start printed.
 * Gives whether the sign-in went well too.
 */
export function useCreateFirstAccount(token: string) {
  const { api, session } = usePortal();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewAccount) => {
      await api.request(createFirstAccount, { params: { token }, body });
      const { username, password } = body;
      const signedIn = await api.request(signIn, { body: { username, password } }).catch(() => null);
      // A new account has no second factor that could be asked for.
      if (signedIn === null || !('token' in signedIn)) return false;
      session.start({ token: signedIn.token, user: signedIn.user });
      return true;
    },
    // If it was refused because the link was used meanwhile, the page shows that.
    onError: () => queries.invalidateQueries({ queryKey: keyOf(token) }),
  });
}
