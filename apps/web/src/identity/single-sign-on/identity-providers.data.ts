import { editGroups, listIdentityProviders } from '@keepwatch/contract/identity/identity-providers';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, useToasts } from '../../kit/portal.tsx';

const KEY = ['identity-providers'];

/** The identity providers of the own brand, and where they send browsers back. */
export function useIdentityProviders() {
  const api = useApi();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(listIdentityProviders, {}, signal),
  });
}

/** Changes what the groups of one give. Why a change is refused is said in the form. */
export function useEditGroups(id: string) {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof editGroups>['body']) => api.request(editGroups, { params: { id }, body }),
    onSuccess: ({ data }) => toasts.success(`The groups of ${data.name} have been changed.`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
