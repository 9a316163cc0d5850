import { addApplication, checkApplication, removeApplication } from '@keepwatch/contract/microsoft365/applications';
import {
  createOrganization,
  deleteOrganization,
  editOrganization,
  listOrganizations,
  type Organization,
  type Region,
  readOrganization,
  renewCertificate,
  requestApplicationDeviceCode,
  requestDeviceCode,
} from '@keepwatch/contract/microsoft365/organizations';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReceivedCode } from '../../entities/device-code.tsx';
import { ORGANIZATIONS_KEY } from '../../entities/organizations.data.ts';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { useApi, useClock, useToasts } from '../../kit/portal.tsx';

export type OrganizationSort = OrderOf<typeof listOrganizations>;
export const ORGANIZATION_SORTS = ordersOf(listOrganizations);
export type OrganizationBody = CallRequest<typeof createOrganization>['body'];
export type Connected = CallReply<typeof createOrganization>;

/** Organizations whose name has the text in it, a page at a time. */
export function useOrganizations(search: string, sort: OrganizationSort): Pages<Organization> {
  const api = useApi();
  return usePages({
    queryKey: [...ORGANIZATIONS_KEY, 'list', { search, sort }],
    load: (place, signal) =>
      api.request(listOrganizations, { query: { ...place, sort, ...(search === '' ? {} : { search }) } }, signal),
  });
}

/** One organization with its connection; none without an id. */
export function useOrganization(organizationId: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...ORGANIZATIONS_KEY, 'one', organizationId],
    queryFn: ({ signal }) => api.request(readOrganization, { params: { organizationId } }, signal),
    select: (reply) => reply.data,
    enabled: organizationId !== '',
  });
}

/** Connects an organization, or changes the one with this id. A code that was not entered yet is a refusal. */
export function useSaveOrganization(organizationId: string | null) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: OrganizationBody): Promise<Connected> =>
      organizationId === null
        ? api.request(createOrganization, { body })
        : api.request(editOrganization, { params: { organizationId }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ORGANIZATIONS_KEY }),
  });
}

export function useDeleteOrganization({ id, name }: Organization) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof deleteOrganization>['body']) =>
      api.request(deleteOrganization, { params: { organizationId: id }, body }),
    onSuccess: () => toasts.success(`The organization ${name} has been removed.`),
    onSettled: () => queries.invalidateQueries({ queryKey: ORGANIZATIONS_KEY }),
  });
}

export function useRenewCertificate() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof renewCertificate>['body']) => api.request(renewCertificate, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ORGANIZATIONS_KEY }),
  });
}

export type AddedApplication = CallRequest<typeof addApplication>['body'];

/** Adds an application that backs up beside the others. A code that was not entered yet is a refusal. */
export function useAddApplication(organizationId: string) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AddedApplication) => api.request(addApplication, { params: { organizationId }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ORGANIZATIONS_KEY }),
  });
}

/** Asks Microsoft once more what an application of an organization may. */
export function useCheckApplication(organizationId: string) {
  const api = useApi();
  return (applicationId: string) => api.request(checkApplication, { params: { organizationId, applicationId } });
}

export function useRemoveApplication(organizationId: string) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (applicationId: string) =>
      api.request(removeApplication, { params: { organizationId, applicationId } }),
    onSuccess: () => toasts.success('The application has been removed.'),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ORGANIZATIONS_KEY }),
  });
}

/** Whom the code is for: a company that an organization is connected for, or an organization that is connected. */
export type CodeFor = { region: Region; companyId: string } | { organizationId: string };

/** A code for the sign-in at Microsoft. `refetch` gets another one; the same is given as long as the page is open. */
export function useDeviceCode(asked: CodeFor | null) {
  const api = useApi();
  const clock = useClock();
  return useQuery({
    queryKey: ['o365', 'device-code', asked],
    queryFn: async ({ signal }): Promise<ReceivedCode> => {
      const { data } =
        asked !== null && 'organizationId' in asked
          ? await api.request(requestApplicationDeviceCode, { body: asked }, signal)
          : await api.request(
              requestDeviceCode,
              { body: { targetRegion: asked?.region ?? 'Worldwide', companyObjId: asked?.companyId ?? '' } },
              signal,
            );
      return { ...data, endsAt: clock.now().getTime() + data.expiresIn * 1_000 };
    },
    enabled: asked !== null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    retry: false,
  });
}
