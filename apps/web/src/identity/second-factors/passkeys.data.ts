import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '@keepwatch/contract/identity/passkeys';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation } from '@tanstack/react-query';
import { useApi, useToasts, useUser } from '../../kit/portal.tsx';
import { makePasskey } from './browser-passkeys.ts';
import { useChanged } from './second-factors.data.ts';

/** Has the browser make a passkey, for which the password is given. It counts once it is added. */
export function useMakePasskey() {
  const api = useApi();
  const { id } = useUser();
  return useMutation({
    mutationFn: async (body: CallRequest<typeof beginPasskey>['body']) => {
      const { data: request } = await api.request(beginPasskey, { params: { id }, body });
      return { challenge: request.challenge, proof: await makePasskey(request) };
    },
  });
}

/** Adds the passkey that the browser has made. */
export function useAddPasskey() {
  const api = useApi();
  const toasts = useToasts();
  const { id } = useUser();
  const { refresh, added } = useChanged();
  return useMutation({
    mutationFn: (body: CallRequest<typeof addPasskey>['body']) => api.request(addPasskey, { params: { id }, body }),
    onSuccess: () => {
      added();
      toasts.success('Your passkey has been added.');
    },
    onSettled: refresh,
  });
}

/** Gives a passkey another name. */
export function useRenamePasskey(passkeyId: string) {
  const api = useApi();
  const { id } = useUser();
  const { refresh } = useChanged();
  return useMutation({
    mutationFn: (body: CallRequest<typeof renamePasskey>['body']) =>
      api.request(renamePasskey, { params: { id, passkeyId }, body }),
    onSettled: refresh,
  });
}

/** Removes a passkey. */
export function useRemovePasskey(passkeyId: string) {
  const api = useApi();
  const toasts = useToasts();
  const { id } = useUser();
  const { refresh } = useChanged();
  return useMutation({
    mutationFn: (body: CallRequest<typeof removePasskey>['body']) =>
      api.request(removePasskey, { params: { id, passkeyId }, body }),
    onSuccess: () => toasts.success('Your passkey has been removed.'),
    onSettled: refresh,
  });
}
