import { signOn } from '@keepwatch/contract/directory/console-accounts';
import type { ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../kit/portal.tsx';

/** Has a console confirm the user's account there, and gives the page to open. */
export function useSignOn(provider: ConsoleKind) {
  const api = useApi();
  return useMutation({
    mutationFn: async () => (await api.request(signOn, { params: { provider } })).data,
  });
}
