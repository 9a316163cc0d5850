import type { User } from '@keepwatch/contract/identity/sessions';
import { userAllows } from '../kit/portal.tsx';
import type { NavigationEntry, Screen } from '../kit/screen.ts';

const FORBIDDEN = '/monitoring/forbidden';

/** Where a visit ends: at the screen itself (`null`), or at another address, which receives the original one as `next`. */
export type Redirect = { to: string; next?: string } | null;

/**
 * Whether `user` may open the screen (specification "portal", part 4, guards): without sign-in to /login with the
 * address remembered, without the ability to the forbidden page of the screen's application, signed-in users away from
 * the pages for signed-out ones, and out of the whole Microsoft 365 application without its role (part 2).
 */
export function redirectOf(
  screen: { access: Screen['access']; path: string },
  user: User | null,
  address: string,
): Redirect {
  if (screen.access === 'signed-out') return user === null ? null : { to: '/' };
  if (user === null) return { to: '/login', next: address };
  if (applicationOf(screen.path) === 'o365' && !user.acl.some(({ role }) => role === 'o365_admin'))
    return { to: '/monitoring' };
  if (screen.access === 'signed-in' || userAllows(user, screen.access)) return null;
  return { to: `/${applicationOf(screen.path)}/forbidden`, next: address };
}

/** `/monitoring/dashboard` is of `monitoring`. */
export function applicationOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/**
 * The first screen of the sidebar that the user may open; roles without the dashboard start elsewhere. Where none is open
 * the forbidden page says so.
 */
export function startOf(user: User | null, navigation: readonly NavigationEntry[]): string {
  const open = navigation.find((entry) => user === null || userAllows(user, entry.ability));
  return open?.path ?? FORBIDDEN;
}
