import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { admin, applicationOf, o365 } from '../entities/applications.ts';
import {
  adminChangePassword,
  adminSecurity,
  changePassword,
  o365ChangePassword,
  o365Security,
  security,
} from '../entities/places.ts';
import { MenuItem } from '../kit/panel/menu-item.tsx';
import { useUser } from '../kit/portal.tsx';
import { useGo } from '../kit/screen-link.tsx';
import { useSignOut } from '../kit/use-sign-out.ts';
import styles from './user-menu.module.css';

/** What the menu of the user has. */
export default function AccountMenu({ close }: { close: () => void }) {
  const user = useUser();
  const { mutate } = useSignOut();
  const go = useGo();
  const places = useOwnPlaces();
  const ref = useRef<HTMLDivElement>(null);
  // It is loaded after its panel took the focus.
  useEffect(() => ref.current?.parentElement?.querySelector('button')?.focus(), []);
  const to = (place: Pick<typeof places.password, 'at'>) => () => {
    close();
    go(place.at());
  };
  return (
    <>
      <div ref={ref} className={styles.who}>
        <strong>{user.name}</strong>
        <span>{user.username}</span>
        <span>{user.acl.map(({ role }) => ROLE_TEXTS[role]).join(', ')}</span>
      </div>
      <MenuItem icon={<IconKey size={16} stroke={1.6} aria-hidden />} onClick={to(places.password)}>
        Change password
      </MenuItem>
      <MenuItem icon={<IconShieldLock size={16} stroke={1.6} aria-hidden />} onClick={to(places.security)}>
        Security
      </MenuItem>
      <MenuItem icon={<IconLogout size={16} stroke={1.6} aria-hidden />} onClick={() => mutate()}>
        Log out
      </MenuItem>
    </>
  );
}

/** The pages are there in each application. */
function useOwnPlaces() {
  const application = useLocation({ select: ({ pathname }) => applicationOf(pathname) });
  if (application === o365) return { password: o365ChangePassword, security: o365Security };
  if (application === admin) return { password: adminChangePassword, security: adminSecurity };
  return { password: changePassword, security };
}
