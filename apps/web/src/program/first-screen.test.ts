import { expect, test, vi } from 'vitest';
import { dashboard, signIn } from '../entities/places.ts';
import type { Place } from '../kit/place.ts';
import { buildUser } from '../testing/builders.ts';
import { loadFirstScreen } from './first-screen.ts';

const user = buildUser();

function withScreen(place: Place) {
  const prefetch = vi.fn();
  const load = vi.fn(async () => ({ default: () => null, prefetch }));
  return { screens: [{ ...place, title: 'Test', entry: { icon: 'users' as const }, load }], load, prefetch };
}

test("loads the code of the address's screen, and of the shell around it", async () => {
  const { load, prefetch, ...visit } = withScreen(dashboard);
  const codes = await loadFirstScreen({ ...visit, user, path: '/monitoring/dashboard' });
  expect(load).toHaveBeenCalledTimes(1);
  expect(codes).toHaveLength(2);
  expect(codes.at(-1)?.prefetch).toBe(prefetch);
});

test('loads the screen at which the root of the portal leads the user', async () => {
  const { load, ...visit } = withScreen(dashboard);
  await loadFirstScreen({ ...visit, user, path: '/' });
  expect(load).toHaveBeenCalledTimes(1);
});

test('loads no shell for the sign-in page, whose budget it would break', async () => {
  const { load, ...visit } = withScreen(signIn);
  expect(await loadFirstScreen({ ...visit, user: null, path: '/login' })).toHaveLength(1);
  expect(load).toHaveBeenCalledTimes(1);
});

test.each([
  ['a stranger', null, '/monitoring/dashboard'],
  ['a user without the ability', buildUser({ roles: ['o365_admin'] }), '/monitoring/dashboard'],
  ['an address without a screen', user, '/monitoring/nowhere'],
])('loads nothing for %s: the router leads elsewhere', async (_, visitor, path) => {
  const { load, ...visit } = withScreen(dashboard);
  expect(await loadFirstScreen({ ...visit, user: visitor, path })).toEqual([]);
  expect(load).not.toHaveBeenCalled();
});

test('the page continues without code that cannot be loaded: the router reports the error', async () => {
  const { load, ...visit } = withScreen(dashboard);
  load.mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'));
  expect(await loadFirstScreen({ ...visit, user, path: '/monitoring/dashboard' })).toEqual([]);
});
