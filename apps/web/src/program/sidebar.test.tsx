import { ROLES, type Role } from '@keepwatch/contract/abilities';
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { APPLICATIONS } from '../entities/applications.ts';
import { entriesOf, type Screen } from '../kit/screen.ts';
import { buildBranding, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';
import { untilKeysAreThere } from '../testing/until-keys-are-there.ts';
import { redirectOf } from './guards.ts';
import { screens } from './screens.ts';

const branding = buildBranding();
const user = (role: Role) => buildUser({ roles: [role] });

/** The real addresses and guards over screens that ask the server nothing. */
const plain: Screen[] = screens.map((screen) => ({
  ...screen,
  load: async () => ({ default: () => <p>Screen {screen.path}</p> }),
}));

const applications = (role: Role) => APPLICATIONS.filter(({ admits }) => admits?.(user(role)) !== false);
const roles = ROLES.flatMap((role) => applications(role).map((application) => [role, application] as const));

test.each(roles)(
  '%s sees in the sidebar of an application what may be opened, no more and no less',
  async (role, application) => {
    const { page } = openPortal({ path: `${application.path}/forbidden`, user: user(role), screens: plain });
    const sidebar = within(await page.findByRole('navigation', { name: 'Main' }));
    const links = sidebar.queryAllByRole('link').map((link) => link.getAttribute('href'));
    // The brand's name links to the start.
    const shown = links.filter((address) => address !== '/');
    const ofIt = entriesOf(screens).filter((screen) => screen.application === application);
    const open = ofIt.filter((screen) => redirectOf(screen, user(role), branding, '') === null);
    // Groups come after what is in none.
    expect(shown.toSorted()).toEqual(open.map(({ path }) => path).toSorted());
  },
);

const closed = ROLES.flatMap((role) =>
  screens
    .filter((screen) => screen.access !== 'signed-out' && redirectOf(screen, user(role), branding, '') !== null)
    .map(({ path }): [Role, Screen['path']] => [role, path]),
);

// An address can be typed: the menu is no guard.
test.each(closed)('%s does not get %s by typing its address', async (role, path) => {
  const { page, address } = openPortal({ path, user: user(role), screens: plain });
  // Who is not admitted to an application at all is led to the monitoring.
  await page.findByText(/^Screen |could not be found/);
  expect(address()).not.toBe(path);
  expect(page.queryByText(`Screen ${path}`)).toBeNull();
});

test('a sidebar shortcut does not open a screen that the user may not open', async () => {
  const { page, person, address, portal } = openPortal({
    path: '/monitoring/dashboard',
    user: user('operator'),
    screens: plain,
  });
  await page.findByText('Screen /monitoring/dashboard');
  await untilKeysAreThere(portal);
  await person.keyboard('gs');
  expect(address()).toBe('/monitoring/dashboard');
  await person.keyboard('gc');
  await page.findByText('Screen /monitoring/daily-checks');
});
