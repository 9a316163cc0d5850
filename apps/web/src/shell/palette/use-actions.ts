import { jobWizard, o365Users, organizationWizard, users } from '../../entities/places.ts';
import type { ThemeControl } from '../../entities/theme.data.ts';
import { isOpen, type Target } from '../../kit/place.ts';
import { useBranding, useSession, useUser } from '../../kit/portal.tsx';
import { useGo } from '../../kit/screen-link.tsx';
import { exitText, useExit } from '../../kit/use-exit.ts';
import { useSignOut } from '../../kit/use-sign-out.ts';
import type { Choice } from './choice.ts';

export interface FrameActions {
  theme: ThemeControl;
  onHelp: () => void;
}

/** Actions that begin at a screen, each with the places at which it can begin. */
const BEGINNINGS: readonly { key: string; label: string; at: readonly Target[] }[] = [
  { key: 'add-user', label: 'Add a user', at: [users.at({ add: true }), o365Users.at({ add: true })] },
  { key: 'new-job', label: 'New Microsoft 365 job', at: [jobWizard.at({ step: '1' })] },
  { key: 'new-organization', label: 'Connect an organization', at: [organizationWizard.at({ _splat: '1' })] },
];

/** What can be done from everywhere. */
export function useActions({ theme, onHelp }: FrameActions): Choice[] {
  const go = useGo();
  const user = useUser();
  const branding = useBranding();
  const { own } = useSession() ?? {};
  const { mutate: signOut } = useSignOut();
  const { mutate: exit } = useExit();
  const action = (key: string, label: string, run: () => void): Choice => ({
    key: `action ${key}`,
    group: 'Actions',
    label,
    detail: null,
    run,
  });
  const beginnings = BEGINNINGS.flatMap(({ key, label, at }) => {
    const target = at.find(({ place }) => isOpen(place, user, branding));
    return target === undefined ? [] : [action(key, label, () => go(target))];
  });
  const mode = theme.mode === 'dark' ? 'light' : 'dark';
  return [
    ...beginnings,
    action('theme', `Switch to ${mode} mode`, theme.toggleMode),
    action('sidebar', theme.isSidebarMini ? 'Pin the sidebar' : 'Unpin the sidebar', theme.toggleSidebar),
    action('help', 'Show the keyboard shortcuts', onHelp),
    // Who acts as another user goes back to the own session, as in the menu of the account.
    own === undefined
      ? action('log-out', 'Log out', () => signOut())
      : action('exit', exitText(user.username), () => exit()),
  ];
}
