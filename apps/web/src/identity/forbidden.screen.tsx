import type { User } from '@keepwatch/contract/identity/sessions';
import { Button } from '@mantine/core';
import IconHourglass from '@tabler/icons-react/dist/esm/icons/IconHourglass.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { Link, useRouteContext, useSearch } from '@tanstack/react-router';
import { userAllows, useUser } from '../kit/portal.tsx';
import type { NavigationEntry } from '../kit/screen.ts';
import { Notice } from '../kit/states/notice.tsx';
import { useSignOut } from '../kit/use-sign-out.ts';
import { applicationsOf } from './applications.ts';

/**
 * Where a failed permission check leads (specification "portal", part 4), and where a visit ends that has nothing to
 * start with.
 */
export default function ForbiddenScreen() {
  const user = useUser();
  const { navigation = [] }: { navigation?: readonly NavigationEntry[] } = useRouteContext({ strict: false });
  const isAnyOpen = navigation.some((entry) => userAllows(user, entry.ability));
  return isAnyOpen ? <Forbidden navigation={navigation} /> : <NothingOpen />;
}

function Forbidden({ navigation }: { navigation: readonly NavigationEntry[] }) {
  const user = useUser();
  const { next }: { next?: unknown } = useSearch({ strict: false });
  const page = navigation.find(({ path }) => path === pathIn(next));
  return (
    <Notice
      title={`You may not open ${page === undefined ? 'this page' : `“${page.label}”`}`}
      text={`Your account ${user.username} has ${rolesText(user)}. Ask an administrator of your portal if you need this page.`}
      icon={<IconLock size={28} aria-hidden />}
    >
      <Link to="/">Go to the start page</Link>
    </Notice>
  );
}

/** A link would lead back here: what is left is to leave. */
function NothingOpen() {
  const user = useUser();
  const { mutate, isPending } = useSignOut();
  const applications = applicationsOf(user).join(' and ');
  return (
    <Notice
      title="Nothing is open to you here yet"
      text={
        applications === ''
          ? `Your account ${user.username} has no role that opens a page. Ask an administrator of your portal for one.`
          : `Your account ${user.username} is for ${applications}, and none of its pages are in this portal yet. Ask an administrator of your portal if you need the monitoring of backups.`
      }
      icon={<IconHourglass size={28} aria-hidden />}
    >
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        Log out
      </Button>
    </Notice>
  );
}

/** Of the address that was asked for. */
function pathIn(next: unknown): string {
  return typeof next === 'string' ? (next.split(/[?#]/)[0] ?? '') : '';
}

function rolesText({ acl }: User): string {
  const [only, ...others] = acl.map(({ role }) => role);
  if (only === undefined) return 'no role';
  return others.length === 0 ? `the role ${only}` : `the roles ${[only, ...others].join(', ')}`;
}
