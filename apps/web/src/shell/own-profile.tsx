import type { getProfile } from '@keepwatch/contract/identity/sessions';
import type { Endpoint } from '@keepwatch/contract/wire/client';
import { useQuery } from '@tanstack/react-query';
import { useLive } from '../kit/live/use-live.ts';
import { usePortal, useUser } from '../kit/portal.tsx';

const GET_PROFILE: Endpoint<typeof getProfile> = {
  method: 'GET',
  path: '/profile/{id}',
  failure: 'Error while getting the profile, try again later.',
};

/**
 * Follows the own account: roles that an administrator gave or took, and a second factor that was added in another browser, show without a new
 * sign-in. Draws nothing.
 */
export default function OwnProfile() {
  const { api, session } = usePortal();
  const { id } = useUser();
  const queryKey = ['own-profile', id];
  useLive('profile.changed', queryKey);
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = session.get()?.user;
      const { data } = await api.request<typeof getProfile>(GET_PROFILE, { params: { id } }, signal);
      // What was changed here meanwhile is newer than the reply.
      if (before === undefined || session.get()?.user !== before) return null;
      // Looks and preferences are saved a moment after they are chosen: those of this browser stay.
      const user = { ...data, theme: before.theme, preferences: before.preferences };
      if (JSON.stringify(user) !== JSON.stringify(before)) session.updateUser(user);
      return null;
    },
  });
  return null;
}
