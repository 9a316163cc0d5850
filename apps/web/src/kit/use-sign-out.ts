import { signOut } from '@keepwatch/contract/identity/sessions';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from './portal.tsx';

/** Ends the session here in any case; the server is told, and ends it by itself later if it does not hear of it. */
export function useSignOut() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: () => api.request(signOut, {}),
    onSettled: () => session.end(),
  });
}
