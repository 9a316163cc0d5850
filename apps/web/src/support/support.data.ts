import { makeChatToken, requestSupport } from '@keepwatch/contract/support/support';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation } from '@tanstack/react-query';
import { useApi, useUser } from '../kit/portal.tsx';

/** Mails a request to the support. Why one is refused is said in the form. */
export function useRequestSupport() {
  const api = useApi();
  return useMutation({
    mutationFn: (body: CallRequest<typeof requestSupport>['body']) => api.request(requestSupport, { body }),
  });
}

/** Asks for the token by which the chat recognises the user. */
export function useChatToken() {
  const api = useApi();
  const { name, email, serviceProviderId } = useUser();
  return useMutation({
    mutationFn: async () => {
      const { data } = await api.request(makeChatToken, { body: { name, email, serviceProviderId } });
      return data.token;
    },
  });
}
