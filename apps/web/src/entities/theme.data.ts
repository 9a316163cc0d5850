import type { editProfile, Theme } from '@keepwatch/contract/identity/sessions';
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { usePortal, useUser } from '../kit/portal.tsx';
import { EDIT_PROFILE } from '../kit/session-endpoints.ts';

export interface ThemeControl {
  /** What is shown; `auto` is one of them by the system's choice. */
  mode: 'dark' | 'light';
  isSidebarMini: boolean;
  toggleMode: () => void;
  toggleSidebar: () => void;
  change: (theme: Partial<Theme>) => void;
}

/**
 * The user's looks: applied at once, saved in the background. A failed save is not reported, as the specification
 * requires ("portal", part 4): the choice still applies in this browser.
 */
export function useTheme(): ThemeControl {
  const { api, session } = usePortal();
  const user = useUser();
  const { setColorScheme } = useMantineColorScheme();
  const mode = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const stored = user.theme.mode;
  // Another browser may have changed it: the mode stored with the user applies everywhere.
  useEffect(() => setColorScheme(stored), [stored, setColorScheme]);
  const change = (theme: Partial<Theme>) => {
    // As it is now: something else of the user may have been changed since this was drawn.
    const current = session.get()?.user ?? user;
    session.updateUser({ ...current, theme: { ...current.theme, ...theme } });
    api.request<typeof editProfile>(EDIT_PROFILE, { params: { id: user.id }, body: { theme } }).catch(() => undefined);
  };
  return {
    mode,
    isSidebarMini: user.theme.sidebarMini,
    toggleMode: () => change({ mode: mode === 'dark' ? 'light' : 'dark' }),
    toggleSidebar: () => change({ sidebarMini: !user.theme.sidebarMini }),
    change,
  };
}
