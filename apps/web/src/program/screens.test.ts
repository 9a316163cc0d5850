import { ROLES, type Role } from '@keepwatch/contract/abilities';
import { expect, test } from 'vitest';
import { APPLICATIONS, applicationOf } from '../entities/applications.ts';
import * as places from '../entities/places.ts';
import { entriesOf } from '../kit/screen.ts';
import { buildBranding, buildUser } from '../testing/builders.ts';
import { redirectOf, startOf } from './guards.ts';
import { screens } from './screens.ts';

const branding = buildBranding();

test('no two screens have the same address', () => {
  const paths = screens.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

test.each(APPLICATIONS)('each entry of $name has a key of its own', (application) => {
  const keys = entriesOf(screens)
    .filter((screen) => screen.application === application)
    .map(({ entry }) => entry.key);
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a user begins with the page that is chosen, and with another one where that is closed', () => {
  const from = (page: string) => startOf(screens, buildUser({ landingApp: { page } }), branding);
  expect(from('/monitoring/calendar-report')).toBe('/monitoring/calendar-report');
  expect(from('/monitoring/sources')).toBe('/monitoring/dashboard');
  expect(from('/monitoring/profile')).toBe('/monitoring/dashboard');
});

// A link to a place compiles: something has to open there. The start redirects.
test.each(Object.entries(places))('something opens at the place %s', (_, place) => {
  expect([places.start.path, ...screens.map(({ path }) => path)]).toContain(place.path);
});

test('a screen belongs to the application that its address names', () => {
  for (const { path, application } of screens) expect(application, path).toBe(applicationOf(path));
});

test.each(ROLES.map((role): [Role] => [role]))('%s starts at a screen that is open', (role) => {
  const user = buildUser({ roles: [role] });
  const screen = screens.find(({ path }) => path === startOf(screens, user, branding));
  const isAnyOpen = entriesOf(screens).some(
    (screen) => screen.entry.isOwn !== true && redirectOf(screen, user, branding, '') === null,
  );
  expect(screen !== undefined && redirectOf(screen, user, branding, '') === null).toBe(true);
  expect(screen?.path === '/monitoring/forbidden').toBe(!isAnyOpen);
});

test('only the dashboard has the footer', () => {
  expect(screens.filter(({ hasFooter }) => hasFooter).map(({ path }) => path)).toEqual(['/monitoring/dashboard']);
});
