import { ROLES, type Role } from '@keepwatch/contract/abilities';
import { expect, test } from 'vitest';
import { buildUser } from '../testing/builders.ts';
import { redirectOf, startOf } from './guards.ts';
import { navigation } from './navigation.ts';
import { screens } from './screens.ts';

test('no two screens have the same address', () => {
  const paths = screens.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

test('no two places of the sidebar have the same key or address', () => {
  for (const field of ['key', 'path'] as const) {
    const values = navigation.map((entry) => entry[field]);
    expect(new Set(values).size).toBe(values.length);
  }
});

test('a sidebar entry requires the same abilities as its screen', () => {
  for (const entry of navigation) {
    const screen = screens.find(({ path }) => path === entry.path);
    if (screen !== undefined) expect(screen.access, entry.path).toEqual(entry.ability);
  }
});

test.each(ROLES.map((role): [Role] => [role]))('%s starts at a screen that is open', (role) => {
  const user = buildUser({ roles: [role] });
  const built = navigation.filter((entry) => screens.some(({ path }) => path === entry.path));
  const screen = screens.find(({ path }) => path === startOf(user, built));
  const isAnyOpen = built.some((entry) => redirectOf({ path: entry.path, access: entry.ability }, user, '') === null);
  expect(screen !== undefined && redirectOf(screen, user, '') === null).toBe(true);
  expect(screen?.path === '/monitoring/forbidden').toBe(!isAnyOpen);
});

test('only the dashboard has the footer', () => {
  expect(screens.filter(({ hasFooter }) => hasFooter).map(({ path }) => path)).toEqual(['/monitoring/dashboard']);
});
