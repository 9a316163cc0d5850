import { createFirstAccount } from '@keepwatch/contract/identity/sessions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../kit/portal.tsx';

export type NewAccount = CallRequest<typeof createFirstAccount>['body'];

/** Creates the installation's first account; `token` is of the link that the first start printed. */
export function useCreateFirstAccount(token: string) {
  const api = useApi();
  return useMutation({
    mutationFn: (body: NewAccount) => api.request(createFirstAccount, { params: { token }, body }),
  });
}
