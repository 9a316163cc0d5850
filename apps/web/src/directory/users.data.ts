import { type ListedUser, listUsers } from '@keepwatch/contract/directory/users';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { useQuery } from '@tanstack/react-query';
import { type UsersFilters, usersFilters } from '../entities/users.ts';
import { notFound } from '../kit/api.ts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi } from '../kit/portal.tsx';

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
