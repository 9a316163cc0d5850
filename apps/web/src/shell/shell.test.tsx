import { getAttention } from '@keepwatch/contract/attention/attention';
import { editProfile, signOut } from '@keepwatch/contract/identity/sessions';
import { getLastSync, startSync } from '@keepwatch/contract/sources/sources';
import { act, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { applicationOf } from '../entities/applications.ts';
import { COLOR_SCHEME_KEY } from '../kit/color-scheme.ts';
import type { Screen } from '../kit/screen.ts';
import { createAnswers } from '../testing/answers.ts';
import { buildBranding, buildUser } from '../testing/builders.ts';
import { openPortal, TEST_NOW } from '../testing/open-portal.tsx';
import { untilKeysAreThere } from '../testing/until-keys-are-there.ts';

const named = (title: string, path: Screen['path'], access: Screen['access'], key = title.charAt(0)): Screen => {
  const application = applicationOf(path);
  const place = { path, access, ...(application === undefined ? {} : { application }) };
  return {
    ...place,
    title,
    entry: { icon: 'list-check', key },
    load: async () => ({ default: () => <p>{title} content</p> }),
  };
};
const screens: Screen[] = [
  { ...named('Dashboard', '/monitoring/dashboard', 'monitoring.dashboard', 'd'), hasFooter: true },
  named('Daily checks', '/monitoring/daily-checks', 'monitoring.daily-checks', 'c'),
  named('Companies', '/monitoring/companies', 'common.companies'),
  { path: '/login', title: 'Log in', access: 'signed-out', load: () => import('../identity/sign-in.screen.tsx') },
];

async function open(visit: Partial<Parameters<typeof openPortal>[0]> = {}) {
  const opened = openPortal({ path: '/monitoring/dashboard', user: buildUser(), screens, ...visit });
  await opened.page.findByText('Dashboard content');
  return opened;
}

test('leads to the screens that are built and that the user may open', async () => {
  const { page, person } = await open();
  const links = [...page.getByRole('navigation', { name: 'Main' }).querySelectorAll('a')].map(
    (link) => link.textContent,
  );
  expect(links).toEqual(['Keepwatch', 'Dashboard', 'Daily checks']);
  await person.click(page.getByRole('link', { name: 'Daily checks' }));
  await page.findByText('Daily checks content');
  expect(page.getByRole('link', { name: 'Daily checks' }).getAttribute('aria-current')).toBe('page');
});

test.each([
  [null, ['Dashboard', 'Profile']],
  [{ page: '/admin/profile' }, ['Profile']],
])(
  'leads on from an address of no application within the one where the user begins: %j',
  async (landingApp, titles) => {
    const user = buildUser({ roles: ['super-admin', 'admin', 'operator'], landingApp });
    const { page } = openPortal({
      path: '/nowhere',
      user,
      screens: [
        named('Dashboard', '/monitoring/dashboard', 'monitoring.dashboard'),
        named('Profile', '/monitoring/profile', 'monitoring.dashboard'),
        named('Profile', '/admin/profile', 'admin.dashboard'),
      ],
    });
    await page.findByText('404');
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    expect([...sidebar.querySelectorAll('section a')].map((link) => link.textContent)).toEqual(titles);
  },
);

test('has the layout of the brand in its sidebar', async () => {
  const { page } = await open({ branding: buildBranding({ layout: 'managecast' }) });
  expect(page.getByRole('navigation', { name: 'Main' }).dataset['layout']).toBe('managecast');
});

test('has the focus at the beginning of a screen after going there', async () => {
  const { page, person } = await open();
  expect(document.activeElement).toBe(document.body);
  await person.click(page.getByRole('link', { name: 'Daily checks' }));
  await page.findByText('Daily checks content');
  expect(document.activeElement).toBe(page.getByRole('main'));
});

test('goes to a screen with two keys, and lists them on the question mark', async () => {
  const { page, person, portal } = await open();
  await untilKeysAreThere(portal);
  await person.keyboard('gc');
  await page.findByText('Daily checks content');
  await person.keyboard('?');
  const help = await page.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(help.textContent).toContain('Go to Dashboardgd');
  expect(help.textContent).not.toContain('Go to Companies');
});

test('changes to dark at once, and stores it with the user and in the browser', async () => {
  const user = buildUser();
  const answers = createAnswers().on(editProfile, { success: true, data: user });
  const { page, person, portal } = await open({ answers, user });
  await person.click(page.getByRole('button', { name: 'Switch to dark mode' }));
  await page.findByRole('button', { name: 'Switch to light mode' });
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark');
  expect(localStorage.getItem(COLOR_SCHEME_KEY)).toBe('dark');
  expect(answers.asked(editProfile).map(({ body }) => body)).toEqual([{ theme: { mode: 'dark' } }]);
  expect(portal.session.get()?.user.theme.mode).toBe('dark');
});

test('follows the dark scheme of the system until the user chooses another', async () => {
  const darkSystem = (query: string) =>
    Object.assign(new EventTarget(), { matches: query.includes('dark'), media: query });
  vi.stubGlobal('matchMedia', darkSystem);
  const user = buildUser({ theme: { mode: 'auto', sidebarMini: false, sidebarColor: 'blue' } });
  const answers = createAnswers().on(editProfile, { success: true, data: user });
  const { page, person } = await open({ answers, user });
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark');
  await person.click(page.getByRole('button', { name: 'Switch to light mode' }));
  await page.findByRole('button', { name: 'Switch to dark mode' });
  expect(answers.asked(editProfile).map(({ body }) => body)).toEqual([{ theme: { mode: 'light' } }]);
});

test('makes the sidebar small, also where that cannot be saved', async () => {
  const answers = createAnswers().refuse(editProfile, 500, {
    code: 'INTERNAL_ERROR',
    message: 'Sorry, edit profile failed',
  });
  const { page, person } = await open({ answers });
  await person.click(page.getByRole('button', { name: 'Unpin sidebar' }));
  const pin = await page.findByRole('button', { name: 'Pin sidebar' });
  // What it does is in its name, which changes: it is no button that is pressed or not.
  expect(pin.hasAttribute('aria-pressed')).toBe(false);
  expect(pin.title).toBe('Pin sidebar');
  expect(page.queryByText('Sorry, edit profile failed')).toBeNull();
});

test('opens the navigation as a drawer, and closes it with Escape', async () => {
  const { page, person } = await open();
  await person.click(page.getByRole('button', { name: 'Open the navigation' }));
  expect(page.getByRole('button', { name: 'Close the navigation' })).toBeDefined();
  await person.keyboard('{Escape}');
  expect(page.queryByRole('button', { name: 'Close the navigation' })).toBeNull();
});

test('logs out, ends the session on the server, and shows no data any more', async () => {
  const answers = createAnswers().on(signOut, { success: true, address: null });
  const { page, person, portal, address } = await open({ answers });
  await person.click(page.getByRole('button', { name: 'Account of Olga Perez' }));
  await person.click(await page.findByRole('button', { name: 'Log out' }));
  await page.findByLabelText('User name');
  expect(address()).toBe('/login');
  expect(portal.session.get()).toBeNull();
  expect(answers.asked(signOut)).toHaveLength(1);
});

test('goes on to the sign-out of the identity provider, where the user came from one', async () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  onTestFinished(() => void vi.unstubAllGlobals());
  const there = 'https://login.example.com/session/end?client_id=keepwatch';
  const answers = createAnswers().on(signOut, { success: true, address: there });
  const { page, person, portal } = await open({ answers });
  await person.click(page.getByRole('button', { name: 'Account of Olga Perez' }));
  await person.click(await page.findByRole('button', { name: 'Log out' }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(there));
  expect(portal.session.get()).toBeNull();
});

test('logs out in the browser even if the server fails', async () => {
  const answers = createAnswers().refuse(signOut, 500, { code: 'INTERNAL_ERROR', message: 'No' });
  const { page, person } = await open({ answers });
  await person.click(page.getByRole('button', { name: 'Account of Olga Perez' }));
  await person.click(await page.findByRole('button', { name: 'Log out' }));
  expect(await page.findByLabelText('User name')).toBeDefined();
});

const partial = {
  success: true,
  status: 'PARTIAL',
  lastSync: '2026-03-15T11:55:00.000Z',
  failed: [{ entity: 'repositories', externalId: '7', reason: 'The console answered 500.', source: 'North' }],
} as const;

test('says how fresh the figures are and what could not be read', async () => {
  const { page, person } = await open({
    answers: createAnswers().on(getLastSync, { ...partial, failed: [...partial.failed] }),
  });
  await person.click(await page.findByRole('button', { name: /Synced in part/ }));
  const details = page.getByRole('dialog', { name: 'Last sync' });
  await waitFor(() => expect(details.textContent).toContain('repositories of North: The console answered 500.'));
  expect(page.getByRole('button', { name: /Synced in part/ }).textContent).toContain('5 minutes ago');
});

test('starts a sync at once for users who may', async () => {
  const answers = createAnswers().on(startSync, { success: true });
  const { page, person } = await open({ answers });
  await person.click(await page.findByRole('button', { name: 'Sync now' }));
  await page.findByText('The sources are being read.');
  expect(answers.asked(startSync)).toHaveLength(1);
});

test('offers no manual sync to users who may not start one', async () => {
  const { page } = await open({ user: buildUser({ roles: ['read-only'] }) });
  await page.findByRole('button', { name: /Synced/ });
  expect(page.queryByRole('button', { name: 'Sync now' })).toBeNull();
});

test('follows a sync that the server reports', async () => {
  const answers = createAnswers();
  const { page } = await open({ answers });
  await page.findByRole('button', { name: /^Synced/ });
  answers.on(getLastSync, { success: true, status: 'RUNNING', lastSync: null, failed: [] });
  answers.emit('sync.changed');
  expect(await page.findByRole('button', { name: 'Syncing' })).toBeDefined();
});

test('shows year, support and social links of the brand', async () => {
  const { features } = buildBranding();
  const links = [{ platform: 'linkedin', link: 'https://example.test/in' }];
  const branding = buildBranding({ features: { ...features, socialMedia: { enabled: true, settings: { links } } } });
  const { page } = await open({ branding });
  expect(page.getByText('© 2026 Keepwatch')).toBeDefined();
  expect(page.getByRole('link', { name: 'support@example.test' }).getAttribute('href')).toBe(
    'mailto:support@example.test',
  );
  expect(page.getByRole('link', { name: 'LinkedIn' }).getAttribute('href')).toBe('https://example.test/in');
});

test('has no footer if the brand has turned it off', async () => {
  const { features } = buildBranding();
  const { page } = await open({ branding: buildBranding({ features: { ...features, footer: false } }) });
  expect(page.queryByText('© 2026 Keepwatch')).toBeNull();
});

test('has the footer at the dashboard and at no other screen', async () => {
  const { page, person } = await open();
  page.getByText('© 2026 Keepwatch');
  await person.click(page.getByRole('link', { name: 'Daily checks' }));
  await page.findByText('Daily checks content');
  expect(page.queryByText('© 2026 Keepwatch')).toBeNull();
});

test('shows the application switch only if there is another application', async () => {
  const roles = ['o365_admin', 'operator'] as const;
  const user = buildUser({ roles: [...roles] });
  const { page } = await open({ user });
  expect(page.queryByRole('button', { name: 'Monitoring' })).toBeNull();
  page.unmount();
  const both = [...screens, named('Jobs', '/o365/jobs', 'o365.jobs')];
  const other = await open({ user, screens: both });
  expect(other.page.getByRole('button', { name: 'Monitoring' })).toBeDefined();
});

test('leads to the consoles in which the user has an account, unless an administrator acts as the user', async () => {
  const user = buildUser({ roles: ['operator'], sso: { vac: true, vcd: false, zerto: true } });
  const console = named('Console', '/apps/$provider', 'monitoring.dashboard', 'z');
  const { page, person, portal } = await open({ user, screens: [...screens, console] });
  await person.click(page.getByRole('button', { name: 'Monitoring' }));
  page.getByRole('button', { name: 'Service Provider Console' });
  expect(page.queryByRole('button', { name: 'Cloud Director' })).toBeNull();
  await person.click(page.getByRole('button', { name: 'Zerto' }));
  await page.findByText('Console content');
  act(() => portal.session.impersonate({ token: 'another token', user }, '/monitoring/users'));
  expect(page.queryByRole('button', { name: 'Monitoring' })).toBeNull();
});

test('updates the age of the last sync before the server is asked again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { page, portal } = await open();
  await page.findByText('just now');
  vi.spyOn(portal.clock, 'now').mockReturnValue(new Date(TEST_NOW.getTime() + 2 * 3_600_000));
  act(() => void vi.advanceTimersByTime(30_000));
  // Checked at once: a later redraw for another reason would show it too.
  page.getByText('2 hours ago');
});

test('folds a group of the sidebar, keeps it with the user, and leaves the open screen in it', async () => {
  const grouped = [
    ...screens,
    {
      ...named('Scheduled', '/monitoring/report-settings', 'monitoring.dashboard'),
      entry: { icon: 'history', group: 'Reports' },
    },
  ] as const satisfies Screen[];
  const user = buildUser();
  const answers = createAnswers().on(editProfile, { success: true, data: user });
  const { page, person, portal } = await open({ user, answers, screens: grouped });
  const heading = page.getByRole('button', { name: 'Reports' });
  await person.click(heading);
  expect(heading.getAttribute('aria-expanded')).toBe('false');
  expect(page.queryByRole('link', { name: 'Scheduled' })).toBeNull();
  expect(portal.session.get()?.user.preferences['sidebar.folded']).toEqual(['/monitoring Reports']);
  await person.click(heading);
  await person.click(page.getByRole('link', { name: 'Scheduled' }));
  await person.click(page.getByRole('button', { name: 'Reports' }));
  expect(page.getByRole('link', { name: 'Scheduled' }).getAttribute('aria-current')).toBe('page');
});

test('goes to another application with two keys, and to the page that the user begins with there', async () => {
  const user = buildUser({ roles: ['o365_admin', 'operator'], landingApp: { page: '/o365/repositories' } });
  const both = [
    ...screens,
    named('Jobs', '/o365/jobs', 'o365.jobs', 'd'),
    named('Repositories', '/o365/repositories', 'o365.repositories'),
  ];
  const { page, person, portal } = await open({ user, screens: both });
  await untilKeysAreThere(portal);
  await person.keyboard('g2');
  await page.findByText('Repositories content');
  await person.keyboard('gd');
  await page.findByText('Jobs content');
});

test('leads users of Microsoft 365 to the pages that the brand has elsewhere', async () => {
  const { features } = buildBranding();
  const link = { enabled: false };
  const faq = { enabled: true, url: 'https://faq.example.test' };
  const branding = buildBranding({
    features: {
      ...features,
      supportSection: { enabled: true, links: { request: link, live: link, downloads: link, faq } },
      office365: { selfRegistration: { termsOfUse: null }, restoreUrl: 'https://restore.example.test' },
    },
  });
  const user = buildUser({ roles: ['o365_admin', 'operator'] });
  const both = [...screens, named('Jobs', '/o365/jobs', 'o365.jobs')];
  const { page, person, portal } = await open({ user, branding, screens: both });
  expect(page.queryByRole('link', { name: 'FAQ' })).toBeNull();
  await untilKeysAreThere(portal);
  await person.keyboard('g2');
  await page.findByText('Jobs content');
  expect(page.getByRole('link', { name: 'FAQ' }).getAttribute('href')).toBe('https://faq.example.test');
  expect(page.getByRole('link', { name: 'End-User Restore' }).title).toBe(
    'Use or bookmark this external URL for end-users to restore their own data.',
  );
});

test('counts beside an entry what waits for the user, and again when something changed', async () => {
  let checks = 0;
  const answers = createAnswers().on(getAttention, () => ({ success: true as const, data: { checks } }));
  const counted: Screen[] = screens.map((screen) =>
    screen.title === 'Daily checks' && screen.entry !== undefined
      ? { ...screen, entry: { ...screen.entry, counts: 'checks' } }
      : screen,
  );
  const { page } = await open({ answers, screens: counted });
  await waitFor(() => expect(answers.asked(getAttention)).toHaveLength(1));
  expect(page.getByRole('link', { name: 'Daily checks' })).toBeDefined();
  checks = 12;
  act(() => answers.emit('executions.changed'));
  await page.findByRole('link', { name: 'Daily checks 12 to review' });
  checks = 100;
  act(() => answers.emit('executions.changed'));
  await page.findByRole('link', { name: 'Daily checks 99+ to review' });
});

test('has the pages of the support in the order of the specification, as far as the brand has them', async () => {
  const { features } = buildBranding();
  const faq = { enabled: true, url: 'https://faq.example.test' };
  const on = { enabled: true };
  const branding = buildBranding({
    features: {
      ...features,
      supportSection: { enabled: true, links: { request: on, live: on, downloads: on, faq } },
      office365: { selfRegistration: { termsOfUse: null }, restoreUrl: 'https://restore.example.test' },
    },
  });
  const user = buildUser({ roles: ['o365_admin', 'operator'] });
  const namesIn = async (path: string) => {
    const { page } = openPortal({ path, user, branding });
    const group = await page.findByRole('region', { name: 'Support' });
    const names = [...group.querySelectorAll('a')].map(({ textContent }) => textContent);
    page.unmount();
    return names;
  };
  expect(await namesIn('/monitoring/support/live')).toEqual(['Request', 'Live', 'Downloads']);
  expect(await namesIn('/o365/support/live')).toEqual([
    'Request',
    'Live',
    'Downloads',
    'FAQ',
    'End-User Restore',
    'Restore Operators',
  ]);
});

test('leads from a screen below a list back to the list', async () => {
  const list = named('Jobs', '/o365/jobs', 'o365.jobs');
  const step: Screen = { ...named('Job', '/o365/jobs/$step', 'o365.jobs'), parent: list };
  const user = buildUser({ roles: ['o365_admin', 'operator'] });
  const { page, person } = openPortal({ path: '/o365/jobs/1', user, screens: [...screens, list, step] });
  await page.findByText('Job content');
  await person.click(page.getByRole('navigation', { name: 'Breadcrumb' }).querySelector('a') ?? document.body);
  await page.findByText('Jobs content');
  expect(page.queryByRole('navigation', { name: 'Breadcrumb' })).toBeNull();
});
