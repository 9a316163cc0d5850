import type { exitImpersonation } from '@keepwatch/contract/identity/impersonation';
import { useMutation } from '@tanstack/react-query';
import { usePortal } from './portal.tsx';
import { EXIT_IMPERSONATION } from './session-endpoints.ts';

/** Ends acting as another user here in any case, and on the server. If the server cannot be called, the session expires there later. */
export function useExit() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: () => api.request<typeof exitImpersonation>(EXIT_IMPERSONATION, {}),
    onSettled: () => session.exit(),
  });
}

/** Of a name only so much is shown. */
const NAME_LENGTH_MAX = 10;

/** `Exit ada`: the name of the user who is left, cut where it is long (specification "portal", part 2). */
export function exitText(username: string): string {
  return `Exit ${username.length > NAME_LENGTH_MAX ? `${username.slice(0, NAME_LENGTH_MAX)}...` : username}`;
}
