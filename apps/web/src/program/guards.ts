import type { Branding } from '@keepwatch/contract/branding/branding';
import type { User } from '@keepwatch/contract/identity/sessions';
import { APPLICATIONS, monitoring } from '../entities/applications.ts';
import { forbidden, signIn, start } from '../entities/places.ts';
import { type Application, isOpen, type Place } from '../kit/place.ts';
import { entriesOf, type Screen, startEntryOf } from '../kit/screen.ts';
import { userAllows } from '../kit/user-allows.ts';

/** Where a visit ends: at the screen itself (`null`), or at another address, which receives the original one as `next`. */
export type Redirect = { to: string; next?: string } | null;

/**
 * Whether the place is open to `user` (specification "portal", part 4, guards): without sign-in to /login with the address
 * remembered, with a password to be renewed a second factor to be added or secret questions to be chosen to the page for that, without a condition to the forbidden page of its application, signed-in users away from the pages for signed-out
 * ones, and out of a whole application whose condition they do not meet (part 2).
 */
export function redirectOf(place: Place, user: User | null, branding: Branding | null, address: string): Redirect {
  if (user?.passwordReset === true && place.access !== 'everybody') return toTask(place, 'reset-password', address);
  if (user?.secondFactorNeeded === true && place.access !== 'everybody') return toTask(place, 'security', address);
  if (user?.forceSecurityQuestions === true && place.access !== 'everybody')
    return toTask(place, 'security-questions', address);
  if (isOpen(place, user, branding)) return null;
  if (user === null) return { to: signIn.path, next: address };
  if (place.access === 'signed-out') return { to: start.path };
  const { application = monitoring } = place;
  if (application.admits?.(user) === false) return { to: monitoring.path };
  return { to: `${application.path}/forbidden`, next: address };
}

/** Leads users who have to do something first to the page for it, from every other one. */
function toTask({ path, application = monitoring }: Place, page: string, address: string): Redirect {
  const target = `${application.path}/${page}`;
  return path === target ? null : { to: target, next: address };
}

/**
 * Where the user chose to begin; else where the first application begins in which the user has any business, or the one that is given; roles without such a one start at the
 * first screen that is open to them. Where none is open the forbidden page says so.
 */
export function startOf(
  screens: readonly Screen[],
  user: User | null,
  branding: Branding | null,
  application?: Application,
): string {
  const entries = entriesOf(screens).filter(({ entry }) => entry.isOwn !== true);
  const open = entries.filter((screen) => user === null || isOpen(screen, user, branding));
  const chosen = user?.landingApp?.page;
  if (application === undefined && open.some(({ path }) => path === chosen)) return chosen ?? start.path;
  const own = application ?? APPLICATIONS.find(({ ability }) => user === null || userAllows(user, ability));
  const begin = own === undefined ? undefined : startEntryOf(open, own, chosen);
  const first = begin ?? (application === undefined ? open[0] : undefined);
  return first?.path ?? (application === undefined ? forbidden.path : `${application.path}/forbidden`);
}
