import { listUsers } from '@keepwatch/contract/directory/users';
import {
  createRestoreRole,
  deleteRestoreRole,
  editRestoreRole,
  listRestoreRoles,
  type RestoreRole,
  readRestoreRole,
} from '@keepwatch/contract/restore/roles';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import type { ChoiceSearch } from '../../kit/filters/search-choices.tsx';
import { useApi, useToasts } from '../../kit/portal.tsx';

const ROLES_KEY = ['o365', 'restore-roles'];
export type RoleSort = OrderOf<typeof listRestoreRoles>;
export const ROLE_SORTS = ordersOf(listRestoreRoles);
export type RoleBody = CallRequest<typeof createRestoreRole>['body'];

/** Roles of all organizations, a page at a time. */
export function useRoles(search: string, sort: RoleSort): Pages<RestoreRole> {
  const api = useApi();
  const filter = search === '' ? {} : { search };
  return usePages({
    queryKey: [...ROLES_KEY, 'list', { ...filter, sort }],
    load: (place, signal) => api.request(listRestoreRoles, { query: { ...filter, ...place, sort } }, signal),
  });
}

/** One role with what it selects and excludes. */
export function useRole(opRoleId: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...ROLES_KEY, 'one', opRoleId],
    queryFn: ({ signal }) => api.request(readRestoreRole, { params: { opRoleId } }, signal),
    select: (reply) => reply.data,
    enabled: opRoleId !== '',
  });
}

/** Creates a role of an organization, or changes the one with this id. */
export function useSaveRole(opRoleId: string | null, organizationId: string | null) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RoleBody) =>
      opRoleId === null
        ? api.request(createRestoreRole, { params: { organizationId: organizationId ?? '' }, body })
        : api.request(editRestoreRole, { params: { opRoleId }, body }),
    onSuccess: ({ data }) =>
      toasts.success(`The role ${data.name} has been ${opRoleId === null ? 'created' : 'changed'}.`),
    onSettled: () => queries.invalidateQueries({ queryKey: ROLES_KEY }),
  });
}

export function useDeleteRole({ onDone }: { onDone: () => void }) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id: opRoleId }: Pick<RestoreRole, 'id' | 'name'>) =>
      api.request(deleteRestoreRole, { params: { opRoleId } }),
    onSuccess: (_, { name }) => {
      toasts.success(`The role ${name} has been deleted.`);
      onDone();
    },
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ROLES_KEY }),
  });
}

const CHOICES_MAX = 50;

/** Users who can be operators, found by name. */
export function useOperatorSearch(): (search: string) => ChoiceSearch {
  const api = useApi();
  return (search) => ({
    queryKey: ['users-choice', 'operators', search],
    queryFn: async ({ signal }) => {
      const who = { roles: ['restore-operator' as const], states: ['active' as const] };
      const query = { ...who, limit: CHOICES_MAX, sort: 'name' as const };
      const reply = await api.request(listUsers, { query: search === '' ? query : { ...query, search } }, signal);
      const choices = reply.data.map(({ _id, name, email }) => ({ value: _id, label: name, detail: email }));
      return { count: reply.count, choices };
    },
  });
}

/** The names of users. */
export function useUserNames(ids: readonly string[]): (id: string) => string {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['users-choice', { ids }],
    queryFn: ({ signal }) => api.request(listUsers, { query: { ids: [...ids], limit: ids.length } }, signal),
    enabled: ids.length > 0,
  });
  return (id) => data?.data.find(({ _id }) => _id === id)?.name ?? '…';
}
