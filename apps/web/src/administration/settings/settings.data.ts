import { getSecretKey, removePreviousKey, rotateSecretKey } from '@keepwatch/contract/administration/secret-key';
import { sendTestMail } from '@keepwatch/contract/administration/test-mail';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';

const KEY = ['secret-key'];
const PROGRESS_MS = 2_000;

/** Sends a mail to the own address; the list of connections then shows how the server fared. */
export function useTestMail() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(sendTestMail, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: ['connections', 'list'] }),
  });
}

/** The key of the stored secrets, read again while a rotation goes on. */
export function useSecretKey() {
  const api = useApi();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(getSecretKey, {}, signal),
    select: ({ data }) => data,
    refetchInterval: ({ state: { data } }) => (data?.data.previous?.isNeeded === true ? PROGRESS_MS : false),
  });
}

/** Brings a new key in force. Why it is refused is said in the form. */
export function useRotateKey() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof rotateSecretKey>['body']) => api.request(rotateSecretKey, { body }),
    onSuccess: () => toasts.success('A new key is in force.'),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRemovePreviousKey() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.request(removePreviousKey, {}),
    onSuccess: () => toasts.success('The previous key is deleted.'),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
