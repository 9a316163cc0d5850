import * as places from '../../web/src/entities/places.ts';
import type { Place } from '../../web/src/kit/place.ts';
import { screens } from '../../web/src/program/screens.ts';
import { accountOf } from './account-of.ts';

/** What the browser shows at an address. */
export interface ShownScreen {
  /** The path at which it is; `{job}` is the id of a thing of the demonstration (things.ts). */
  path: string;
  /** Addresses that are opened, and buttons that are pressed, until it is shown. */
  way: readonly string[];
  /** Who sees it; `null`: who is not signed in. */
  username: string | null;
}

/** By the paths that they lead to. */
type Ways = Readonly<Record<string, readonly string[]>>;

const direct = (path: string): Ways => ({ [path]: [path] });

/** The steps of a wizard, one after the other from the first on. */
function steps(path: string, search: string, keys: readonly string[]): Ways {
  const ways = keys.map((key, before) => [
    `${path}/${key}`,
    [`${path}/${keys[0]}${search}`, ...Array<string>(before).fill('Next')],
  ]);
  return Object.fromEntries(ways);
}

const ORGANIZATIONS = '/o365/organizations/new';
const OF_CONTOSO = '?organization={organization}';
const FIRST_STEP = `${ORGANIZATIONS}/1${OF_CONTOSO}`;

/** Steps of each way to sign in, also of others than the organization's own: they open by their address once the credentials were reached. */
function signInSteps(...keys: readonly string[]): Ways {
  const ways = keys.map((key) => [
    `${ORGANIZATIONS}/${key}`,
    [FIRST_STEP, 'Next', 'Next', `${ORGANIZATIONS}/${key}${OF_CONTOSO}`],
  ]);
  return Object.fromEntries(ways);
}

/** How what is at a place with parameters is reached; all other places are opened at their path. */
const WAYS: ReadonlyMap<string, Ways> = new Map<string, Ways>([
  [places.setup.path, direct('/setup/spent')],
  [places.setPassword.path, { [places.setPassword.path]: ['/reset-password-db?hash={invitation}'] }],
  [places.brand.path, direct('/admin/brands/1')],
  [places.companyPage.path, direct('/monitoring/companies/{company}')],
  [places.consolePage.path, direct('/apps/vac')],
  // Its fourth step is left out where there is one worker and one repository: nothing to choose.
  [places.jobWizard.path, steps('/o365/jobs', '?job={job}', ['1', '2', '3', '5'])],
  [places.operatorRoleWizard.path, steps('/o365/restore-operator-roles', '?role={role}', ['1', '2', '3', '4', '5'])],
  [
    places.organizationWizard.path,
    {
      [`${ORGANIZATIONS}/1`]: [FIRST_STEP],
      ...signInSteps('3/modern', '3/legacy', '3/basic', '4a/modern', '4b/modern', '4/legacy', '4/basic'),
      [`${ORGANIZATIONS}/5/modern`]: [FIRST_STEP, 'Next', 'Next', `${ORGANIZATIONS}/4a/modern${OF_CONTOSO}`, 'Next'],
      [`${ORGANIZATIONS}/repo`]: [`${ORGANIZATIONS}/repo${OF_CONTOSO}`],
    },
  ],
  [places.organizationCertificate.path, direct('/o365/organizations/certificate/{company}/{organization}')],
  [places.restoreDownload.path, direct('/o365/restore/downloads/{download}')],
]);

/** Addresses without a screen, where something is shown all the same. */
const STRAYS: readonly ShownScreen[] = [
  { path: '/nowhere', way: ['/nowhere'], username: null },
  { path: '/monitoring/nowhere', way: ['/monitoring/nowhere'], username: 'operator' },
];

/**
 * Everything that the browser's router shows, in the order of its list of screens: a new screen is among them at once. Throws for one with
 * parameters to which no way is known.
 */
export function shownScreens(): readonly ShownScreen[] {
  return [...screens.flatMap(shownAt), ...STRAYS];
}

function shownAt(place: Place): ShownScreen[] {
  const username = accountOf(place);
  return Object.entries(waysTo(place.path)).map(([path, way]) => ({ path, way, username }));
}

function waysTo(pattern: string): Ways {
  const ways = WAYS.get(pattern);
  if (ways !== undefined) return ways;
  if (pattern.includes('$')) throw new Error(`${pattern} has parameters: say in portal/screens.ts how it is reached.`);
  return direct(pattern);
}
