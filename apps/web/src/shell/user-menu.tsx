import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import { UnstyledButton } from '@mantine/core';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import { MenuItem } from '../kit/panel/menu-item.tsx';
import { Panel } from '../kit/panel/panel.tsx';
import { useUser } from '../kit/portal.tsx';
import { useSignOut } from '../kit/use-sign-out.ts';
import styles from './user-menu.module.css';

/** Who is signed in, and the way out. */
export function UserMenu() {
  const user = useUser();
  const { mutate } = useSignOut();
  return (
    <Panel
      label="Account"
      align="end"
      trigger={(props) => (
        <UnstyledButton {...props} className={styles.button}>
          <span aria-hidden>{initialsOf(user.name)}</span>
          <span className="visually-hidden">Account of {user.name}</span>
        </UnstyledButton>
      )}
    >
      {() => (
        <>
          <div className={styles.who}>
            <strong>{user.name}</strong>
            <span>{user.username}</span>
            <span>{user.acl.map(({ role }) => ROLE_TEXTS[role]).join(', ')}</span>
          </div>
          <MenuItem icon={<IconLogout size={16} stroke={1.6} aria-hidden />} onClick={() => mutate()}>
            Log out
          </MenuItem>
        </>
      )}
    </Panel>
  );
}

/** `Ada King Lovelace` is `AL`. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const [first = '?'] = words;
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return `${first.charAt(0)}${last.charAt(0)}`.toUpperCase();
}
