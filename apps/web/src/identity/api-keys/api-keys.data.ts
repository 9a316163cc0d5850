import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@keepwatch/contract/identity/api-keys';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { type Pages, queriedList } from '../../kit/data-table/pages.ts';
import { useApi, useToasts, useUser } from '../../kit/portal.tsx';

/** A key just made: the only time its token can be read. */
export type NewKey = CallReply<typeof createApiKey>;

const KEY = ['profile', 'api-keys'];

/** The keys of the user's programs. */
export function useApiKeys(): Pages<ApiKey> {
  const api = useApi();
  const { id } = useUser();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(listApiKeys, { params: { id } }, signal),
  });
  return queriedList(query, query.data?.data);
}

/** Makes a key. Why one is refused is said in the form. */
export function useCreateKey() {
  const api = useApi();
  const { id } = useUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof createApiKey>['body']) => api.request(createApiKey, { params: { id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Calls with the key are refused from then on. */
export function useRevokeKey() {
  const api = useApi();
  const { id } = useUser();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id: keyId }: ApiKey) => api.request(revokeApiKey, { params: { id, keyId } }),
    onSuccess: (_, { name }) => toasts.success(`The API key ${name} is revoked.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
