import {
  changeUserPassword,
  createUser,
  deleteUser,
  editUser,
  type Invitation,
  inviteUser,
  type ListedUser,
  listUsers,
} from '@keepwatch/contract/directory/users';
import { impersonate } from '@keepwatch/contract/identity/impersonation';
import { getUserSecondFactors, resetSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { changeUserDirectoryPassword } from '@keepwatch/contract/identity/user-directory';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type UsersFilters, usersFilters } from '../entities/users.ts';
import { messageOf, notFound } from '../kit/api.ts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi, usePortal, useToasts } from '../kit/portal.tsx';

export const USER_SORTS = ordersOf(listUsers);

/** The users that the filters leave, in the order asked for, a page at a time. */
export function useUsers(filters: UsersFilters, sort: OrderOf<typeof listUsers>): Pages<ListedUser> {
  const api = useApi();
  const query = usersFilters.query(filters);
  return usePages({
    queryKey: ['users', 'list', { ...query, sort }],
    load: (place, signal) => api.request(listUsers, { query: { ...query, ...place, sort } }, signal),
  });
}

/** One user. */
export function useUser(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.request(listUsers, { query: { ids: [id] } }, signal);
      if (data[0] === undefined) throw notFound('user');
      return data[0];
    },
  });
}

/** A user, and the link with which that person sets a password. */
export interface Invited {
  user: Pick<ListedUser, 'name' | 'username' | 'email'>;
  invitation: Invitation;
}

/** Reads again what shows users. */
function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['users'] });
}

/** Adds a user. Why one is refused is said in the form. */
export function useCreateUser() {
  const api = useApi();
  return useMutation({
    mutationFn: (body: CallRequest<typeof createUser>['body']) => api.request(createUser, { body }),
    onSettled: useRefresh(),
  });
}

/** Makes a new link for a user. */
export function useInviteUser({ _id: id }: ListedUser) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: () => api.request(inviteUser, { params: { id } }),
    onError: (error) => toasts.error(messageOf(error)),
  });
}

/** Goes on as another user. The page that is open is the one to come back to. */
export function useImpersonate({ _id: userId }: ListedUser) {
  const { api, session, toasts } = usePortal();
  const page = useLocation({ select: ({ href }) => href });
  return useMutation({
    mutationFn: () => api.request(impersonate, { body: { userId } }),
    onSuccess: ({ token, user }) => session.impersonate({ token, user }, page),
    onError: (error) => toasts.error(messageOf(error)),
  });
}

/** Changes a user. Why a change is refused is said in the form. */
export function useEditUser(id: string) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (body: CallRequest<typeof editUser>['body']) => api.request(editUser, { params: { id }, body }),
    onSuccess: ({ data }) => toasts.success(`The user ${data.name} has been changed.`),
    onSettled: useRefresh(),
  });
}

/** Sets the password of a user, where the account is. */
export function useChangeUserPassword({ _id: id, name, authType }: ListedUser) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (body: CallRequest<typeof changeUserPassword>['body']) =>
      api.request(authType === 'ad' ? changeUserDirectoryPassword : changeUserPassword, { params: { id }, body }),
    onSuccess: () => toasts.success(`The password of ${name} has been set.`),
  });
}

/** With what a user signs in besides the password. */
export function useUserSecondFactors(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['users', 'second-factors', id],
    queryFn: ({ signal }) => api.request(getUserSecondFactors, { params: { id } }, signal),
    select: ({ data }) => data,
  });
}

/** Removes all second factors of a user. */
export function useResetSecondFactors({ _id: id, name }: ListedUser) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: () => api.request(resetSecondFactors, { params: { id } }),
    onSuccess: () => toasts.success(`The second factors of ${name} have been reset.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: useRefresh(),
  });
}

/** Deletes a user. */
export function useDeleteUser({ _id: id, name }: ListedUser) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (body: CallRequest<typeof deleteUser>['body']) => api.request(deleteUser, { params: { id }, body }),
    onSuccess: () => toasts.success(`The user ${name} has been deleted.`),
    onSettled: useRefresh(),
  });
}
