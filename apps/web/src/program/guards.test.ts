import { expect, test } from 'vitest';
import { admin, applicationOf, monitoring, o365 } from '../entities/applications.ts';
import { companies, setup, signIn } from '../entities/places.ts';
import { declarePlace } from '../kit/place.ts';
import { buildBranding, buildUser } from '../testing/builders.ts';
import { redirectOf, startOf } from './guards.ts';
import { screens } from './screens.ts';

const branding = buildBranding();
const jobs = declarePlace({ application: o365, path: '/o365/jobs', access: 'o365.jobs' });
const rules = declarePlace({
  application: monitoring,
  path: '/monitoring/rules',
  access: 'monitoring.rules',
  when: ({ features }, { companyIds }) => features.rules && companyIds === null,
});
const withoutHints = buildBranding({ features: { ...branding.features, hints: false } });
const withoutRules = buildBranding({ features: { ...branding.features, rules: false } });

test('sends a stranger to sign-in and remembers the address', () => {
  const redirect = redirectOf(companies, null, branding, '/monitoring/companies?search=a');
  expect(redirect).toEqual({ to: '/login', next: '/monitoring/companies?search=a' });
});

test('sends a user of a directory without secret questions to the page for them, after everything that comes first', () => {
  const user = buildUser({ authType: 'ad', forceSecurityQuestions: true });
  const address = '/o365/jobs';
  expect(redirectOf(jobs, user, branding, address)).toEqual({ to: '/o365/security-questions', next: address });
  const page = declarePlace({ application: o365, path: '/o365/security-questions', access: 'signed-in' });
  expect(redirectOf(page, { ...user, acl: [{ role: 'o365_admin' }] }, branding, '')).toBeNull();
  const enrols = { ...user, secondFactorNeeded: true };
  expect(redirectOf(jobs, enrols, branding, address)).toEqual({ to: '/o365/security', next: address });
});

test('admits a user who has the ability', () => {
  expect(redirectOf(companies, buildUser({ roles: ['admin'] }), branding, '')).toBeNull();
});

test('admits a user who has one of several abilities', () => {
  const place = declarePlace({
    application: monitoring,
    path: '/monitoring/x',
    access: ['common.companies', 'monitoring.rules'],
  });
  expect(redirectOf(place, buildUser({ roles: ['operator'] }), branding, '')).toBeNull();
});

test("sends others to the forbidden page of the screen's application", () => {
  const address = '/monitoring/companies';
  const redirect = redirectOf(companies, buildUser({ roles: ['read-only'] }), branding, address);
  expect(redirect).toEqual({ to: '/monitoring/forbidden', next: address });
  const dashboard = declarePlace({ application: admin, path: '/admin/dashboard', access: 'admin.dashboard' });
  expect(redirectOf(dashboard, buildUser({ roles: ['admin'] }), branding, '')?.to).toBe('/admin/forbidden');
});

test('redirects users without the role of Microsoft 365 from that application to monitoring', () => {
  const user = buildUser({ roles: ['admin', 'super-admin'] });
  expect(redirectOf(jobs, user, branding, '')).toEqual({ to: '/monitoring' });
  expect(redirectOf(jobs, buildUser({ roles: ['o365_admin'] }), branding, '')).toBeNull();
  expect(redirectOf(jobs, null, branding, '/o365/jobs')).toEqual({ to: '/login', next: '/o365/jobs' });
});

test('keeps signed-in users away from the pages for others', () => {
  expect(redirectOf(signIn, buildUser(), branding, '/login')).toEqual({ to: '/' });
  expect(redirectOf(signIn, null, branding, '/login')).toBeNull();
});

test('asks for the switch of the brand and the flag of the user besides the ability', () => {
  const user = buildUser({ roles: ['operator'] });
  expect(redirectOf(rules, user, branding, '')).toBeNull();
  expect(redirectOf(rules, user, withoutRules, '/monitoring/rules')?.to).toBe('/monitoring/forbidden');
  expect(redirectOf(rules, { ...user, companyIds: [] }, branding, '')?.to).toBe('/monitoring/forbidden');
  // Before the brand is known its switches count as on.
  expect(redirectOf(rules, user, null, '')).toBeNull();
});

test('a step opens under the conditions of its place', () => {
  const step = declarePlace({ parent: rules, path: '/monitoring/rules/$id' });
  const user = buildUser({ roles: ['operator'] });
  expect(redirectOf(step, user, branding, '')).toBeNull();
  expect(redirectOf(step, user, withoutRules, '')?.to).toBe('/monitoring/forbidden');
  expect(redirectOf(declarePlace({ parent: jobs, path: '/o365/jobs/1' }), user, branding, '')).toEqual({
    to: '/monitoring',
  });
});

test('starts where the user may be', () => {
  expect(startOf(screens, buildUser({ roles: ['operator'] }), branding)).toBe('/monitoring/dashboard');
  const withoutDashboard = screens.filter(({ path }) => path !== '/monitoring/dashboard');
  const manager = buildUser({ roles: ['admin'] });
  expect(startOf(withoutDashboard, manager, branding)).toBe('/monitoring/hints');
  expect(startOf(withoutDashboard, manager, withoutHints)).toBe('/monitoring/users');
  expect(startOf(screens, null, branding)).toBe('/monitoring/dashboard');
  expect(startOf([], null, branding)).toBe('/monitoring/forbidden');
  const backups = buildUser({ roles: ['o365_admin'] });
  // Of the monitoring it has the list of users alone, and no business there.
  expect(startOf(screens, backups, branding)).toBe('/o365/organizations');
  expect(startOf(screens, backups, branding, monitoring)).toBe('/monitoring/users');
  expect(startOf(screens, buildUser({ roles: ['restore-operator'] }), branding)).toBe('/o365/outlook');
  expect(startOf(screens, buildUser({ roles: ['super-admin'] }), branding)).toMatch(/^\/admin\//);
  expect(startOf(screens, buildUser({ roles: [] }), branding)).toBe('/monitoring/forbidden');
});

test('an address names its application', () => {
  expect(applicationOf('/o365/jobs')).toBe(o365);
  expect(applicationOf('/')).toBeUndefined();
  expect(applicationOf('/monitoringx')).toBeUndefined();
});

test('a target says in its address what is given, and nothing else', () => {
  expect(companies.at({ jobs: true, company: ['a', 'b'], source: [], search: '' }).search).toEqual({
    jobs: 'true',
    company: ['a', 'b'],
  });
  expect(setup.at({ token: 'a b' }).params).toEqual({ token: 'a b' });
});
