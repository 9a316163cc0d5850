import {
  type LicensedOrganization,
  type LicensedUser,
  listLicensedUsers,
  listLicensing,
} from '@keepwatch/contract/microsoft365/licensing';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { ordersOf } from '@keepwatch/contract/wire/sorts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { notFound } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { useApi } from '../../kit/portal.tsx';

/** Of all that is read of licences. */
export const LICENSING_KEY = ['o365', 'licensing'];
export const LICENSING_SORTS = ordersOf(listLicensing);
export const LICENSED_USER_SORTS = ordersOf(listLicensedUsers);

export type LicensingQuery = NonNullable<CallRequest<typeof listLicensing>['query']>;
export type LicensedUsersQuery = NonNullable<CallRequest<typeof listLicensedUsers>['query']>;

/** The licences of each organization, a page at a time. */
export function useLicensing(query: LicensingQuery): Pages<LicensedOrganization> {
  const api = useApi();
  return usePages({
    queryKey: [...LICENSING_KEY, 'organizations', query],
    load: (place, signal) => api.request(listLicensing, { query: { ...query, ...place } }, signal),
  });
}

/** The sums of all of them. */
export function useLicensingTotal(query: LicensingQuery) {
  const api = useApi();
  return useQuery({
    queryKey: [...LICENSING_KEY, 'total', query],
    queryFn: ({ signal }) => api.request(listLicensing, { query: { ...query, limit: 1 } }, signal),
    select: (reply) => reply.total,
    placeholderData: keepPreviousData,
  });
}

/** Licensed users, a page at a time. */
export function useLicensedUsers(query: LicensedUsersQuery): Pages<LicensedUser> {
  const api = useApi();
  return usePages({
    queryKey: [...LICENSING_KEY, 'users', query],
    load: (place, signal) => api.request(listLicensedUsers, { query: { ...query, ...place } }, signal),
  });
}

/** One of them, as of the days of the list. */
export function useLicensedUser(id: string, days: Pick<LicensedUsersQuery, 'from' | 'to'>) {
  const api = useApi();
  return useQuery({
    queryKey: [...LICENSING_KEY, 'user', id, days],
    queryFn: async ({ signal }) => {
      const { data } = await api.request(listLicensedUsers, { query: { ...days, ids: [id] } }, signal);
      if (data[0] === undefined) throw notFound('licensed user');
      return data[0];
    },
  });
}
