import { UnstyledButton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Panel } from '../kit/panel/panel.tsx';
import { useUser } from '../kit/portal.tsx';
import { SkeletonRows } from '../kit/states/skeleton-rows.tsx';
import styles from './user-menu.module.css';

const AccountMenu = lazy(() => import('./account-menu.tsx'));

/** Who is signed in, the own account, and the way out. */
export function UserMenu() {
  const user = useUser();
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
      {(close) => (
        <Suspense fallback={<SkeletonRows rows={3} />}>
          <AccountMenu close={close} />
        </Suspense>
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
