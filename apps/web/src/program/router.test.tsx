import { getSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { dashboard } from '../entities/places.ts';
import { messageOf } from '../kit/api.ts';
import { useApi, useUser } from '../kit/portal.tsx';
import type { Screen } from '../kit/screen.ts';
import { createAnswers } from '../testing/answers.ts';
import { buildBranding, buildUser } from '../testing/builders.ts';
import { loadPortal, openPortal, preparePortal } from '../testing/open-portal.tsx';
import { loadBeforeDrawing } from './load-before-drawing.ts';
import { screens as realScreens } from './screens.ts';

const login = realScreens.filter(({ path }) => path === '/login' || path === '/monitoring/forbidden');

function withScreen(component: () => React.ReactNode) {
  const screen: Screen = {
    ...dashboard,
    title: 'Dashboard',
    entry: { icon: 'layout-dashboard' },
    load: async () => ({ default: component }),
  };
  return [...login, screen];
}

test('sends a stranger from the root to sign-in, without an address to go on to', async () => {
  const { page, address } = openPortal({ path: '/', screens: withScreen(() => <p>Figures</p>) });
  await page.findByLabelText('User name');
  expect(address()).toBe('/login');
});

test('sends a signed-in user from the root to the dashboard', async () => {
  const { page, address } = openPortal({ path: '/', user: buildUser(), screens: withScreen(() => <p>Figures</p>) });
  await page.findByText('Figures');
  expect(address()).toBe('/monitoring/dashboard');
});

test('sends a signed-in user away from sign-in', async () => {
  const { page } = openPortal({ path: '/login', user: buildUser(), screens: withScreen(() => <p>Figures</p>) });
  expect(await page.findByText('Figures')).toBeDefined();
});

test('shows users without permission the forbidden page with their roles', async () => {
  const user = buildUser({ roles: ['operator'] });
  const { page, address } = openPortal({
    path: '/monitoring/dashboard',
    user,
    screens: realScreens.map((screen) =>
      screen.path === dashboard.path ? { ...screen, access: 'common.companies' } : screen,
    ),
  });
  await page.findByText("You don't have access to Dashboard");
  expect(page.getByText(/role; yours is Operator\./)).toBeDefined();
  expect(address()).toBe('/monitoring/forbidden?next=%2Fmonitoring%2Fdashboard');
});

test('shows signed-in users the 404 page inside the frame, with a link back', async () => {
  const { page } = openPortal({ path: '/monitoring/nowhere', user: buildUser() });
  expect(await page.findByText('The page you requested could not be found.')).toBeDefined();
  expect(page.getByRole('link', { name: 'Go to the start page' }).getAttribute('href')).toBe('/');
  expect(page.getByRole('navigation', { name: 'Main' }).textContent).toContain('Daily checks');
  expect(page.getAllByRole('heading', { level: 1 }).map((title) => title.textContent)).toEqual(['Page not found']);
});

test('says that a page could not be found also to a stranger, without the frame', async () => {
  const { page, address } = openPortal({ path: '/nowhere' });
  expect(await page.findByRole('heading', { level: 1, name: '404' })).toBeDefined();
  expect(page.queryByRole('navigation')).toBeNull();
  expect(address()).toBe('/nowhere');
});

test('redirects an address of Microsoft 365 to monitoring for users without its role, built or not', async () => {
  const { page, address } = openPortal({
    path: '/o365/organizations',
    user: buildUser(),
    screens: withScreen(() => <p>Figures</p>),
  });
  await page.findByText('Figures');
  expect(address()).toBe('/monitoring/dashboard');
});

test('asks a stranger at an address of Microsoft 365 to sign in first', async () => {
  const { page, address } = openPortal({ path: '/o365/jobs' });
  await page.findByLabelText('User name');
  expect(address()).toBe('/login?next=%2Fo365%2Fjobs');
});

test('names the screen and the brand in the title', async () => {
  const { page } = openPortal({
    path: '/monitoring/dashboard',
    user: buildUser(),
    screens: withScreen(() => <p>Figures</p>),
    branding: buildBranding({ title: 'Northern Backup' }),
  });
  await page.findByText('Figures');
  expect(document.title).toBe('Dashboard · Northern Backup');
});

test('is titled Portal where the brand has no title', async () => {
  const { page } = openPortal({ path: '/login', branding: buildBranding({ title: '' }) });
  await page.findByLabelText('User name');
  expect(document.title).toBe('Log in · Portal');
});

test('keeps the rest of the page when a screen fails, and shows the screen at the second try', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let isBroken = true;
  const Fragile = () => {
    if (isBroken) throw new Error('x is undefined');
    return <p>Figures</p>;
  };
  const { page, person } = openPortal({
    path: '/monitoring/dashboard',
    user: buildUser(),
    screens: withScreen(Fragile),
  });
  await page.findByText('This page could not be shown');
  expect(page.getByRole('navigation', { name: 'Main' })).toBeDefined();
  isBroken = false;
  await person.click(page.getByRole('button', { name: 'Try again' }));
  expect(await page.findByText('Figures')).toBeDefined();
});

function Asking() {
  const api = useApi();
  const user = useUser();
  const [answer, setAnswer] = useState('');
  const ask = () =>
    api.request(getSecondFactors, { params: { id: user.id } }).catch((error) => setAnswer(messageOf(error)));
  return (
    <button type="button" onClick={ask}>
      Ask {answer}
    </button>
  );
}

test('goes to sign-in when the session has expired, says why, and returns after signing in', async () => {
  const answers = createAnswers().refuse(getSecondFactors, 401, { code: 'NOT_SIGNED_IN', message: 'Session expired' });
  const { page, person, portal, address } = openPortal({
    path: '/monitoring/dashboard?date=Today',
    user: buildUser(),
    answers,
    screens: withScreen(Asking),
  });
  await person.click(await page.findByRole('button', { name: 'Ask' }));
  await page.findByText('Your session has expired. Please log in again to continue.');
  await page.findByLabelText('User name');
  expect(decodeURIComponent(address())).toBe('/login?next=/monitoring/dashboard?date=Today');
  expect(portal.session.get()).toBeNull();
});

describe('a screen that is loaded before anything is drawn', () => {
  const figures = withScreen(() => <p>Figures</p>);

  test('is there with the first drawing', async () => {
    const { page, address } = await loadPortal({ path: '/', user: buildUser(), screens: figures });
    expect(await page.findByText('Figures')).toBeDefined();
    expect(address()).toBe('/monitoring/dashboard');
  });

  test('is the sign-in for a stranger', async () => {
    const { page, address } = await loadPortal({ path: '/monitoring/dashboard', screens: figures });
    await page.findByLabelText('User name');
    expect(address()).toBe('/login?next=%2Fmonitoring%2Fdashboard');
  });

  test('says that it could not be shown when its code cannot be loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken: Screen = { ...dashboard, title: 'Dashboard', load: () => Promise.reject(new Error('no such file')) };
    const { page } = await loadPortal({ path: dashboard.path, user: buildUser(), screens: [...login, broken] });
    expect(await page.findByText('This page could not be shown')).toBeDefined();
  });

  test('is that of an address to which the user went before the first drawing', async () => {
    const { router, draw } = preparePortal({ path: '/nowhere', user: buildUser(), screens: figures });
    await loadBeforeDrawing(router);
    router.history.push(dashboard.path);
    const { page } = draw();
    expect(await page.findByText('Figures')).toBeDefined();
    router.history.back();
    expect(await page.findByText('The page you requested could not be found.')).toBeDefined();
  });
});
