import type { PreferenceKey, Preferences } from '@keepwatch/contract/identity/preferences';
import type { editProfile } from '@keepwatch/contract/identity/sessions';
import { useDebouncedCallback } from '@mantine/hooks';
import { usePortal, useUser } from './portal.tsx';
import { EDIT_PROFILE } from './session-endpoints.ts';

const SAVE_PAUSE_MS = 1_000;

/**
 * Changes one preference of the user: at once in this browser, and in the background on the server, several changes with one call. A
 * failed save is not reported, as with the looks (specification "portal", part 4): the choice still applies in this browser. A change
 * that gives `undefined` saves nothing: what the stored value means is known to its owner alone.
 */
export function useSavePreference<K extends PreferenceKey>(key: K) {
  const { api, session } = usePortal();
  const user = useUser();
  const save = useDebouncedCallback(
    () => {
      const current = session.get();
      if (current === null) return;
      const { id, preferences } = current.user;
      const body = { preferences: { [key]: preferences[key] } };
      api.request<typeof editProfile>(EDIT_PROFILE, { params: { id }, body }).catch(() => undefined);
    },
    { delay: SAVE_PAUSE_MS, flushOnUnmount: true },
  );
  return (change: (before: Preferences[K]) => NonNullable<Preferences[K]> | undefined) => {
    const current = session.get()?.user ?? user;
    const next = change(current.preferences[key]);
    if (next === undefined) return;
    session.updateUser({ ...current, preferences: { ...current.preferences, [key]: next } });
    save();
  };
}
