import { readFileSync } from 'node:fs';
import { ROLES } from '@keepwatch/contract/abilities';
import { expect, test } from 'vitest';
import { buildFullBranding, buildUser } from '../testing/builders.ts';
import { redirectOf } from './guards.ts';
import { screens } from './screens.ts';

const branding = buildFullBranding();
const page = readFileSync(`${import.meta.dirname}/../../../../docs/access.md`, 'utf8').split('## Routes')[1] ?? '';

/** The lines of the page: a route, and `yes` for each role that opens it. */
const routes = new Map(
  [...page.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, path = '', cells = '']) => [path, cells.split(' | ')]),
);

test.each(ROLES)('%s opens the routes of which the page of access says so, and is led away from all others', (role) => {
  const user = buildUser({ roles: [role] });
  const opened = screens.map((screen) => [screen.path, redirectOf(screen, user, branding, screen.path) === null]);
  const expected = screens.map(({ path }) => [path, routes.get(path)?.[ROLES.indexOf(role)] === 'yes']);
  expect(opened).toEqual(expected);
});

test('a stranger opens no route but those that need no sign-in', () => {
  for (const screen of screens) {
    const isPublic = screen.access === 'signed-out' || screen.access === 'everybody';
    expect([screen.path, redirectOf(screen, null, branding, screen.path) === null]).toEqual([screen.path, isPublic]);
  }
});

test('the page has every route', () => {
  expect([...routes.keys()].toSorted()).toEqual(screens.map(({ path }) => path).toSorted());
});
