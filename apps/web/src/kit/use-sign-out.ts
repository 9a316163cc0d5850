import type { signOut } from '@keepwatch/contract/identity/sessions';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from './portal.tsx';
import { SIGN_OUT } from './session-endpoints.ts';

/** Ends the session here in any case, and on the server. If the server cannot be called, the session expires there later. */
export function useSignOut() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: () => api.request<typeof signOut>(SIGN_OUT, {}),
    onSettled: () => session.end(),
  });
}
