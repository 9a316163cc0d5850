import { editSignInRules, getSignInRules } from '@keepwatch/contract/identity/sign-in-rules';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, useToasts } from '../../kit/portal.tsx';

const KEY = ['sign-in-rules'];

/** The rules of the own provider. */
export function useSignInRules() {
  const api = useApi();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(getSignInRules, {}, signal),
    select: ({ data }) => data,
  });
}

/** Changes them. Why a change is refused is said in the form. */
export function useEditSignInRules() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CallRequest<typeof editSignInRules>['body']) => api.request(editSignInRules, { body }),
    onSuccess: () => toasts.success('The rules of the sign-in have been changed.'),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
