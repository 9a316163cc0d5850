import type { Branding } from '@keepwatch/contract/branding/branding';
import type { User } from '@keepwatch/contract/identity/sessions';
import { monitoring } from '../entities/applications.ts';
import { forbidden, signIn, start } from '../entities/places.ts';
import { type Application, isOpen, type Place } from '../kit/place.ts';
import { entriesOf, type Screen, startEntryOf } from '../kit/screen.ts';

/** Where a visit ends: at the screen itself (`null`), or at another address, which receives the original one as `next`. */
export type Redirect = { to: string; next?: string } | null;

/**
 * Whether the place is open to `user` (specification "portal", part 4, guards): without sign-in to /login with the address
 * remembered, without a condition to the forbidden page of its application, signed-in users away from the pages for signed-out
 * ones, and out of a whole application whose condition they do not meet (part 2).
 */
export function redirectOf(place: Place, user: User | null, branding: Branding | null, address: string): Redirect {
  if (isOpen(place, user, branding)) return null;
  if (user === null) return { to: signIn.path, next: address };
  if (place.access === 'signed-out') return { to: start.path };
  const { application = monitoring } = place;
  if (application.admits?.(user) === false) return { to: monitoring.path };
  return { to: `${application.path}/forbidden`, next: address };
}

/**
 * The first screen of the sidebar that is open to the user; roles without the dashboard start elsewhere. Where none is open
 * the forbidden page says so. With an application, where that begins.
 */
export function startOf(
  screens: readonly Screen[],
  user: User | null,
  branding: Branding | null,
  application?: Application,
): string {
  const open = entriesOf(screens).filter((screen) => user === null || isOpen(screen, user, branding));
  const first = application === undefined ? open[0] : startEntryOf(open, application);
  return first?.path ?? (application === undefined ? forbidden.path : `${application.path}/forbidden`);
}
