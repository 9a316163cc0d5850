import { expect, test } from 'vitest';
import { buildUser } from '../testing/builders.ts';
import { applicationOf, redirectOf, startOf } from './guards.ts';
import { navigation } from './navigation.ts';

const companies = { path: '/monitoring/companies', access: 'common.companies' } as const;
const login = { path: '/login', access: 'signed-out' } as const;

test('sends a stranger to sign-in and remembers the address', () => {
  const detour = redirectOf(companies, null, '/monitoring/companies?search=a');
  expect(detour).toEqual({ to: '/login', next: '/monitoring/companies?search=a' });
});

test('admits a user who has the ability', () => {
  expect(redirectOf(companies, buildUser({ roles: ['admin'] }), '')).toBeNull();
});

test('admits a user who has one of several abilities', () => {
  const screen = { path: '/monitoring/x', access: ['common.companies', 'monitoring.rules'] } as const;
  expect(redirectOf(screen, buildUser({ roles: ['operator'] }), '')).toBeNull();
});

test("sends others to the forbidden page of the screen's application", () => {
  const address = '/monitoring/companies';
  const detour = redirectOf(companies, buildUser({ roles: ['read-only'] }), address);
  expect(detour).toEqual({ to: '/monitoring/forbidden', next: address });
  const admin = { path: '/admin/dashboard', access: 'admin.dashboard' } as const;
  expect(redirectOf(admin, buildUser({ roles: ['admin'] }), '')?.to).toBe('/admin/forbidden');
});

test('redirects users without the role of Microsoft 365 from that application to monitoring', () => {
  const jobs = { path: '/o365/jobs', access: 'o365.jobs' } as const;
  expect(redirectOf(jobs, buildUser({ roles: ['admin', 'super-admin'] }), '')).toEqual({ to: '/monitoring' });
  expect(redirectOf(jobs, buildUser({ roles: ['o365_admin'] }), '')).toBeNull();
  expect(redirectOf(jobs, null, '/o365/jobs')).toEqual({ to: '/login', next: '/o365/jobs' });
});

test('keeps signed-in users away from the pages for others', () => {
  expect(redirectOf(login, buildUser(), '/login')).toEqual({ to: '/' });
  expect(redirectOf(login, null, '/login')).toBeNull();
});

test('starts where the user may be', () => {
  expect(startOf(buildUser({ roles: ['operator'] }), navigation)).toBe('/monitoring/dashboard');
  const withoutDashboard = navigation.filter(({ path }) => path !== '/monitoring/dashboard');
  expect(startOf(buildUser({ roles: ['admin'] }), withoutDashboard)).toBe('/monitoring/companies');
  expect(startOf(null, navigation)).toBe('/monitoring/dashboard');
  expect(startOf(null, [])).toBe('/monitoring/forbidden');
  expect(startOf(buildUser({ roles: ['o365_admin'] }), navigation)).toBe('/monitoring/forbidden');
});

test('an address names its application', () => {
  expect(applicationOf('/o365/jobs')).toBe('o365');
  expect(applicationOf('/')).toBe('');
});
