import { editProfile } from '@keepwatch/contract/identity/sessions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation } from '@tanstack/react-query';
import { usePortal, useToasts, useUser } from '../../kit/portal.tsx';

/** Changes the own details; what the portal shows of the user follows at once. */
export function useEditProfile() {
  const { api, session } = usePortal();
  const { id } = useUser();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (body: CallRequest<typeof editProfile>['body']) => api.request(editProfile, { params: { id }, body }),
    onSuccess: ({ data }) => {
      session.updateUser(data);
      toasts.success('Your profile has been changed.');
    },
  });
}
