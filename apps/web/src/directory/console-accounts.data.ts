import {
  addConsoleAccount,
  type ConsoleAccount,
  listConsoleAccounts,
  removeConsoleAccount,
} from '@keepwatch/contract/directory/console-accounts';
import type { ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import type { ListedUser } from '@keepwatch/contract/directory/users';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../kit/api.ts';
import { useApi, useToasts } from '../kit/portal.tsx';

const keyOf = (id: string) => ['users', 'console-accounts', id];

/** The accounts of a user in connected consoles. */
export function useConsoleAccounts({ _id: id }: ListedUser) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => api.request(listConsoleAccounts, { params: { id } }, signal),
    select: ({ data }) => data,
  });
}

/** Gives a user an account of a console. Why it is refused is said in the form. */
export function useAddConsoleAccount({ _id: id, name }: ListedUser) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ provider, accountId }: { provider: ConsoleKind; accountId: string }) =>
      api.request(addConsoleAccount, { params: { id, accountId }, body: { provider } }),
    onSuccess: ({ data }) => toasts.success(`${name} has the account ${data.name} of ${data.connectionName}.`),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(id) }),
  });
}

/** Takes an account of a console from a user. */
export function useRemoveConsoleAccount({ _id: id, name }: ListedUser) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ accountId }: ConsoleAccount) => api.request(removeConsoleAccount, { params: { id, accountId } }),
    onSuccess: (_, account) => toasts.success(`${name} no longer has the account ${account.name}.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(id) }),
  });
}
