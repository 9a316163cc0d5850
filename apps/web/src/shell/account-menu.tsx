import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { admin, applicationOf, o365 } from '../entities/applications.ts';
import {
  adminChangePassword,
  adminProfile,
  adminSecurity,
  changePassword,
  o365ChangePassword,
  o365Profile,
  o365Security,
  profile,
  security,
} from '../entities/places.ts';
import { MenuItem } from '../kit/panel/menu-item.tsx';
import { type Place, targetOf } from '../kit/place.ts';
import { useSession, useUser } from '../kit/portal.tsx';
import { useGo } from '../kit/screen-link.tsx';
import { exitText, useExit } from '../kit/use-exit.ts';
import { useSignOut } from '../kit/use-sign-out.ts';
import styles from './user-menu.module.css';

/** What the menu of the user has. */
export default function AccountMenu({ close }: { close: () => void }) {
  const user = useUser();
  const { own } = useSession() ?? {};
  const go = useGo();
  const places = usePlaces();
  const ref = useRef<HTMLDivElement>(null);
  // It is loaded after its panel took the focus.
  useEffect(() => ref.current?.parentElement?.querySelector('button')?.focus(), []);
  const to = (place: Place) => {
    close();
    go(targetOf(place));
  };
  return (
    <>
      <div ref={ref} className={styles.who}>
        <strong>{user.name}</strong>
        <span>{user.username}</span>
        <span>{user.acl.map(({ role }) => ROLE_TEXTS[role]).join(', ')}</span>
      </div>
      <MenuItem icon={<IconUser size={16} stroke={1.6} aria-hidden />} onClick={() => to(places.profile)}>
        Profile
      </MenuItem>
      {own === undefined && (
        <>
          <MenuItem icon={<IconKey size={16} stroke={1.6} aria-hidden />} onClick={() => to(places.password)}>
            Change password
          </MenuItem>
          <MenuItem icon={<IconShieldLock size={16} stroke={1.6} aria-hidden />} onClick={() => to(places.security)}>
            Security
          </MenuItem>
        </>
      )}
      {own === undefined ? <LogOut /> : <Exit username={user.username} />}
    </>
  );
}

const LEAVE_ICON = <IconLogout size={16} stroke={1.6} aria-hidden />;

function LogOut() {
  const { mutate } = useSignOut();
  return (
    <MenuItem icon={LEAVE_ICON} onClick={() => mutate()}>
      Log out
    </MenuItem>
  );
}

/** Of an administrator who acts as the user, whose password and second factors only the user changes. */
function Exit({ username }: { username: string }) {
  const { mutate } = useExit();
  return (
    <MenuItem icon={LEAVE_ICON} onClick={() => mutate()}>
      {exitText(username)}
    </MenuItem>
  );
}

/** The pages of the own account are there in each application. */
function usePlaces(): Readonly<Record<'profile' | 'password' | 'security', Place>> {
  const application = useLocation({ select: ({ pathname }) => applicationOf(pathname) });
  if (application === o365) return { profile: o365Profile, password: o365ChangePassword, security: o365Security };
  if (application === admin) return { profile: adminProfile, password: adminChangePassword, security: adminSecurity };
  return { profile, password: changePassword, security };
}
