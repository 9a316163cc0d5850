import { allows } from '@keepwatch/contract/abilities';
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
      title={`You don't have access to ${page === undefined ? 'this page' : page.label}`}
      text={neededText(page, user)}
      icon={<IconLock size={28} aria-hidden />}
    >
      <Link to="/">Go to the start page</Link>
    </Notice>
  );
}

/** A link would lead back here, so the user can only log out. */
function NothingOpen() {
  const user = useUser();
  const { mutate, isPending } = useSignOut();
  const applications = applicationsOf(user).join(' and ');
  return (
    <Notice
      title="Nothing here yet"
      text={
        applications === ''
          ? 'Your account has no role yet. Ask an administrator for one.'
          : `${applications} is not available in this portal yet.`
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

/** The role to ask for goes first: the one that most people have who use the page. */
const ROLES_BY_USE = ['operator', 'admin', 'o365_admin', 'super-admin', 'sub-sp', 'read-only'] as const;

/** `It needs the operator role; yours is admin.` */
function neededText(page: NavigationEntry | undefined, { acl }: User): string {
  const own = acl.map(({ role }) => role).join(', ');
  const yours = own === '' ? 'you have none' : `${acl.length === 1 ? 'yours is' : 'yours are'} ${own}`;
  const needed = page === undefined ? undefined : ROLES_BY_USE.find((role) => allows([role], page.ability));
  return `It needs ${needed === undefined ? 'another' : `the ${needed}`} role; ${yours}.`;
}
