import { beginPhone, beginPhoneRemoval, confirmPhone, removePhone } from '@keepwatch/contract/identity/phones';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation } from '@tanstack/react-query';
import { useApi, useToasts, useUser } from '../../kit/portal.tsx';
import { useChanged } from './second-factors.data.ts';

/** Sends a code to a phone that is to be added. */
export function useBeginPhone() {
  const api = useApi();
  const { id } = useUser();
  return useMutation({
    mutationFn: (body: CallRequest<typeof beginPhone>['body']) => api.request(beginPhone, { params: { id }, body }),
  });
}

/** Adds the phone whose code is given. */
export function useConfirmPhone() {
  const api = useApi();
  const toasts = useToasts();
  const { id } = useUser();
  const { refresh, added } = useChanged();
  return useMutation({
    mutationFn: (body: CallRequest<typeof confirmPhone>['body']) => api.request(confirmPhone, { params: { id }, body }),
    onSuccess: () => {
      added();
      toasts.success('Your phone has been added. A code is sent to it when you log in.');
    },
    onSettled: refresh,
  });
}

/** Sends the code with which the phone can be removed. */
export function useBeginPhoneRemoval() {
  const api = useApi();
  const { id } = useUser();
  return useMutation({
    mutationFn: (body: CallRequest<typeof beginPhoneRemoval>['body']) =>
      api.request(beginPhoneRemoval, { params: { id }, body }),
  });
}

/** Removes the phone whose code is given. */
export function useRemovePhone() {
  const api = useApi();
  const toasts = useToasts();
  const { id } = useUser();
  const { refresh } = useChanged();
  return useMutation({
    mutationFn: (body: CallRequest<typeof removePhone>['body']) => api.request(removePhone, { params: { id }, body }),
    onSuccess: () => toasts.success('Your phone has been removed.'),
    onSettled: refresh,
  });
}
