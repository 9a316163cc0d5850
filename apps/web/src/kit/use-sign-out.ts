import type { signOut } from '@keepwatch/contract/identity/sessions';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from './portal.tsx';
import { SIGN_OUT } from './session-endpoints.ts';

/**
 * Ends the session here in any case, and on the server; then at the identity provider, where the user came from one. If the server cannot be called, the session expires there later. Who acts as another user
 * goes on with the own session: forgotten here, it would stay open on the server.
 */
export function useSignOut() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: () => api.request<typeof signOut>(SIGN_OUT, {}),
    onSuccess: ({ address }) => address !== null && window.location.assign(address),
    onSettled: () => (session.get()?.own === undefined ? session.end() : session.exit()),
  });
}
