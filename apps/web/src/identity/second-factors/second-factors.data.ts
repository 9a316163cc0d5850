import {
  beginAuthenticator,
  confirmAuthenticator,
  getSecondFactors,
  removeAuthenticator,
  renewRecoveryCodes,
} from '@keepwatch/contract/identity/second-factors';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, usePortal, useToasts, useUser } from '../../kit/portal.tsx';

const keyOf = (id: string) => ['second-factors', id];

/** The own second factors. */
export function useSecondFactors() {
  const api = useApi();
  const { id } = useUser();
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => api.request(getSecondFactors, { params: { id } }, signal),
    select: ({ data }) => data,
  });
}

/** Reads the second factors again. A user who had to add one has done so. */
export function useChanged() {
  const { session } = usePortal();
  const queries = useQueryClient();
  const { id } = useUser();
  return {
    refresh: () => queries.invalidateQueries({ queryKey: keyOf(id) }),
    added: () => {
      const user = session.get()?.user;
      if (user?.secondFactorNeeded === true) session.updateUser({ ...user, secondFactorNeeded: false });
    },
  };
}

/** Makes the key of an authenticator app. */
export function useBeginAuthenticator() {
  const api = useApi();
  const { id } = useUser();
  return useMutation({
    mutationFn: (body: CallRequest<typeof beginAuthenticator>['body']) =>
      api.request(beginAuthenticator, { params: { id }, body }),
  });
}

/** Adds the app whose code is given. */
export function useConfirmAuthenticator() {
  const api = useApi();
  const toasts = useToasts();
  const { id } = useUser();
  const { refresh, added } = useChanged();
  return useMutation({
    mutationFn: (body: CallRequest<typeof confirmAuthenticator>['body']) =>
      api.request(confirmAuthenticator, { params: { id }, body }),
    onSuccess: () => {
      added();
      toasts.success('Your authenticator app has been added. It is asked for when you log in.');
    },
    onSettled: refresh,
  });
}

/** Removes the app. */
export function useRemoveAuthenticator() {
  const api = useApi();
  const toasts = useToasts();
  const { id } = useUser();
  const { refresh } = useChanged();
  return useMutation({
    mutationFn: (body: CallRequest<typeof removeAuthenticator>['body']) =>
      api.request(removeAuthenticator, { params: { id }, body }),
    onSuccess: () => toasts.success('Your authenticator app has been removed.'),
    onSettled: refresh,
  });
}

/** Makes new recovery codes. */
export function useRenewRecoveryCodes() {
  const api = useApi();
  const { id } = useUser();
  const { refresh } = useChanged();
  return useMutation({
    mutationFn: (body: CallRequest<typeof renewRecoveryCodes>['body']) =>
      api.request(renewRecoveryCodes, { params: { id }, body }),
    onSettled: refresh,
  });
}
