import { useRouteContext } from '@tanstack/react-router';
import { isOpen } from './place.ts';
import { useBranding, useSession } from './portal.tsx';
import { type EntryScreen, entriesOf, type Screen } from './screen.ts';

/** Every screen of the portal. */
export function useScreens(): readonly Screen[] {
  const { screens = [] }: { screens?: readonly Screen[] } = useRouteContext({ strict: false });
  return screens;
}

/** The screens of the sidebar that are open to the user. */
export function useOpenEntries(): readonly EntryScreen[] {
  const user = useSession()?.user ?? null;
  const branding = useBranding();
  return entriesOf(useScreens()).filter((screen) => isOpen(screen, user, branding));
}

/** Those of them with which a user can begin: not the own account. */
export function useOpenBeginnings(): readonly EntryScreen[] {
  return useOpenEntries().filter(({ entry }) => entry.isOwn !== true);
}
