import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { admin, applicationOf, o365 } from '../entities/applications.ts';
import { adminChangePassword, changePassword, o365ChangePassword } from '../entities/places.ts';
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
  const place = usePasswordPlace();
  const ref = useRef<HTMLDivElement>(null);
  // It is loaded after its panel took the focus.
  useEffect(() => ref.current?.parentElement?.querySelector('button')?.focus(), []);
  const toPassword = () => {
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
      <MenuItem icon={<IconKey size={16} stroke={1.6} aria-hidden />} onClick={toPassword}>
        Change password
      </MenuItem>
      <MenuItem icon={<IconLogout size={16} stroke={1.6} aria-hidden />} onClick={() => mutate()}>
        Log out
      </MenuItem>
    </>
  );
}

/** The page is there in each application. */
function usePasswordPlace() {
  const application = useLocation({ select: ({ pathname }) => applicationOf(pathname) });
  if (application === o365) return o365ChangePassword;
  return application === admin ? adminChangePassword : changePassword;
}
