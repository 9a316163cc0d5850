import {
  createIntakeToken,
  deleteIntakeToken,
  type IntakeToken,
  listIntakeTokens,
} from '@keepwatch/contract/tool-reports/tool-reports';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';

/** A token just made: the only time it can be read. */
export type NewToken = CallReply<typeof createIntakeToken>;

export const KEY = ['sources', 'intake-tokens'];

/** Tokens with which tools report. */
export function useIntakeTokens(): Pages<IntakeToken> {
  const api = useApi();
  return usePages({
    queryKey: KEY,
    load: (place, signal) => api.request(listIntakeTokens, { query: place }, signal),
  });
}

/** Makes a token for one company. */
export function useCreateToken() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; companyId: string }) => api.request(createIntakeToken, { body }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Reports with the token are refused from then on. */
export function useRevokeToken() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id: id }: IntakeToken) => api.request(deleteIntakeToken, { params: { id } }),
    onSuccess: (_, { name }) => toasts.success(`The token ${name} is revoked.`),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
