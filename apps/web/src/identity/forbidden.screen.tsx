import { allows, type Role } from '@keepwatch/contract/abilities';
import { ROLE_TEXTS } from '@keepwatch/contract/directory/role-texts';
import type { User } from '@keepwatch/contract/identity/sessions';
import { Button } from '@mantine/core';
import IconHourglass from '@tabler/icons-react/dist/esm/icons/IconHourglass.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useSearch } from '@tanstack/react-router';
import { start } from '../entities/places.ts';
import { useUser } from '../kit/portal.tsx';
import { labelOf, type Screen } from '../kit/screen.ts';
import { ScreenLink } from '../kit/screen-link.tsx';
import { Notice } from '../kit/states/notice.tsx';
import { useOpenBeginnings, useScreens } from '../kit/use-screens.ts';
import { useSignOut } from '../kit/use-sign-out.ts';
import { applicationsOf } from './applications.ts';

/**
 * Where a failed permission check leads (specification "portal", part 4), and where a visit ends that has nothing to
 * start with.
 */
export default function ForbiddenScreen() {
  const isAnyOpen = useOpenBeginnings().length > 0;
  return isAnyOpen ? <Forbidden /> : <NothingOpen />;
}

function Forbidden() {
  const user = useUser();
  const { next }: { next?: unknown } = useSearch({ strict: false });
  const path = pathIn(next);
  const screen = useScreens().find((known) => known.path === path);
  return (
    <Notice
      title={`You don't have access to ${screen === undefined ? 'this page' : labelOf(screen)}`}
      text={neededText(screen, user)}
      icon={<IconLock size={28} aria-hidden />}
    >
      <ScreenLink to={start.at()}>Go to the start page</ScreenLink>
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
const ROLES_BY_USE = [
  'operator',
  'admin',
  'o365_admin',
  'super-admin',
  'sub-sp',
  'read-only',
  'restore-operator',
] as const;

function isFor({ access }: Screen, role: Role): boolean {
  return access !== 'everybody' && access !== 'signed-out' && (access === 'signed-in' || allows([role], access));
}

/** `It needs the Operator role; yours is Admin.` */
function neededText(screen: Screen | undefined, { acl }: User): string {
  const own = acl.map(({ role }) => ROLE_TEXTS[role]).join(', ');
  const yours = own === '' ? 'you have none' : `${acl.length === 1 ? 'yours is' : 'yours are'} ${own}`;
  const needed = screen === undefined ? undefined : ROLES_BY_USE.find((role) => isFor(screen, role));
  return `It needs ${needed === undefined ? 'another' : `the ${ROLE_TEXTS[needed]}`} role; ${yours}.`;
}
