import { editProfile, type Theme } from '@keepwatch/contract/identity/sessions';
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { usePortal, useUser } from '../kit/portal.tsx';

export interface ThemeControl {
  /** What is shown; `auto` is one of them by the system's choice. */
  mode: 'dark' | 'light';
  isSidebarMini: boolean;
  toggleMode: () => void;
  toggleSidebar: () => void;
}

/**
 * The user's looks: shown at once, saved to the user behind it. A failure to save is passed over in silence, as the
 * specification wants it ("portal", part 4): the choice still holds in this browser.
 */
export function useTheme(): ThemeControl {
  const { api, session } = usePortal();
  const user = useUser();
  const { setColorScheme } = useMantineColorScheme();
  const mode = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const kept = user.theme.mode;
  // Another browser may have changed it: what is kept with the user holds everywhere.
  useEffect(() => setColorScheme(kept), [kept, setColorScheme]);
  const save = (theme: Partial<Theme>) => {
    session.updateUser({ ...user, theme: { ...user.theme, ...theme } });
    api.request(editProfile, { params: { id: user.id }, body: { theme } }).catch(() => undefined);
  };
  return {
    mode,
    isSidebarMini: user.theme.sidebarMini,
    toggleMode: () => save({ mode: mode === 'dark' ? 'light' : 'dark' }),
    toggleSidebar: () => save({ sidebarMini: !user.theme.sidebarMini }),
  };
}
