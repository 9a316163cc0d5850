import {
  checkSecretAnswers,
  findSecretQuestions,
  getOwnQuestions,
  setOwnQuestions,
} from '@keepwatch/contract/identity/secret-questions';
import { resetDirectoryPassword, unlockAccount } from '@keepwatch/contract/identity/user-directory';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, usePortal, useToasts, useUser } from '../../kit/portal.tsx';

/** Reads the secret questions of a user name. */
export function useFindQuestions() {
  const api = useApi();
  return useMutation({
    mutationFn: async (username: string) => {
      const { data } = await api.request(findSecretQuestions, { params: { username } });
      return { username, questions: data.questions };
    },
  });
}

/** Checks the answers, for a proof of who gave them. */
export function useCheckAnswers() {
  const api = useApi();
  return useMutation({
    mutationFn: (body: CallRequest<typeof checkSecretAnswers>['body']) => api.request(checkSecretAnswers, { body }),
  });
}

export function useUnlockAccount() {
  const api = useApi();
  return useMutation({ mutationFn: (hash: string) => api.request(unlockAccount, { body: { hash } }) });
}

/** Sets a new password. A session of this browser ends, whose it is does not matter. */
export function useResetPassword() {
  const { api, session } = usePortal();
  return useMutation({
    mutationFn: (body: CallRequest<typeof resetDirectoryPassword>['body']) =>
      api.request(resetDirectoryPassword, { body }),
    onSuccess: () => session.end(),
  });
}

const ownKey = (id: string) => ['own-questions', id];

/** The secret questions that the user has chosen. */
export function useOwnQuestions() {
  const api = useApi();
  const { id } = useUser();
  return useQuery({
    queryKey: ownKey(id),
    queryFn: ({ signal }) => api.request(getOwnQuestions, { params: { id } }, signal),
    select: ({ data }) => data.questions,
  });
}

/** Stores the user's secret questions: from then on everything else opens, too. */
export function useSetOwnQuestions() {
  const { api, session } = usePortal();
  const { id } = useUser();
  const queries = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (body: CallRequest<typeof setOwnQuestions>['body']) =>
      api.request(setOwnQuestions, { params: { id }, body }),
    onSuccess: () => {
      const user = session.get()?.user;
      if (user !== undefined) session.updateUser({ ...user, forceSecurityQuestions: false });
      toasts.success('Your secret questions have been saved.');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ownKey(id) }),
  });
}
